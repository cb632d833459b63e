// node_modules/preact/dist/preact.mjs
var n;
var t;
var r;
var u;
var i;
var f;
var o;
var e;
var l;
var c;
var a;
var s;
var h = /* @__PURE__ */ Symbol.for("pv");
var p = {};
var y = [];
var v = /^m(i|n|o|s|text|space)$/;
var w = Array.isArray;
var d = y.slice;
var _ = Object.assign;
function g(n3) {
  n3 && n3.parentNode && n3.remove();
}
function k(n3, t6, r4) {
  var u4, i4, f5, o5 = {}, e4 = arguments.length;
  for (f5 in t6) "key" == f5 ? u4 = t6[f5] : "ref" == f5 && "function" != typeof n3 ? i4 = t6[f5] : o5[f5] = t6[f5];
  return e4 > 2 && (o5.children = e4 > 3 ? d.call(arguments, 2) : r4), m(n3, o5, u4, i4, null);
}
function m(r4, u4, i4, f5, o5) {
  var e4 = { type: r4, props: u4, key: i4, ref: f5, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: h, __v: o5 || ++t, __i: -1, __u: 0 };
  return !o5 && n.vnode && n.vnode(e4), e4;
}
function M() {
  return { current: null };
}
function $(n3) {
  return n3.children;
}
function x(n3, t6) {
  this.props = n3, this.context = t6, this.__g = 0;
}
function S(n3, t6) {
  if (null == t6) return n3.__ && S(n3.__, n3.__i + 1);
  for (var r4; t6 < n3.__k.length; t6++) if ((r4 = n3.__k[t6]) && r4.__e) return r4.__e;
  return "function" != typeof n3.type || n3.props.__P ? null : S(n3);
}
function C(t6) {
  var r4, u4 = t6.__v, i4 = u4.__e, f5 = [], o5 = [], e4 = t6.__P;
  e4 && ((r4 = _({ constructor: h }, u4)).__v = u4.__v + 1, n.vnode && n.vnode(r4), z(e4, r4, u4, t6.__n, e4.namespaceURI, 32 & u4.__u ? [i4] : null, f5, i4 || S(u4), 32 & u4.__u, o5), r4.__v = u4.__v, r4.__.__k[r4.__i] = r4, E(f5, r4, o5), u4.__ = u4.__e = null, r4.__e != i4 && j(r4));
}
function j(n3) {
  if ((n3 = n3.__) && n3.__c && !n3.props.__P) return n3.__e = null, n3.__k.some(function(t6) {
    return t6 && (n3.__e = t6.__e);
  }), j(n3);
}
function L(t6) {
  (8 & t6.__g || (t6.__g |= 8, u.push(t6), f++)) && i == n.debounceRendering || ((i = n.debounceRendering) || queueMicrotask)(H);
}
function H() {
  try {
    for (var n3, t6 = 1; u.length; ) u.length > t6 && u.sort(o), n3 = u.shift(), t6 = u.length, 8 & n3.__g && C(n3);
  } finally {
    (f = u.length) && (i || queueMicrotask)(H);
  }
}
function I(n3, t6, r4, u4, i4, f5, o5, e4, l4, c4, a5) {
  var s4, h5, v4, w5, d4, _4, g5 = u4.__k || y, k4 = t6.length;
  for (l4 = q(r4, t6, g5, l4, k4), s4 = 0; s4 < k4; s4++) null != (v4 = r4.__k[s4]) && (h5 = ~v4.__i && g5[v4.__i] || p, v4.__i = s4, _4 = z(n3, v4, h5, i4, f5, o5, e4, l4, c4, a5), w5 = v4.__e, (h5.ref != v4.ref || 8 & h5.__u) && (h5.ref && G(h5.ref, null, v4, h5), v4.ref && a5.push(v4.ref, v4.__c || w5, v4)), d4 = d4 || w5, 4 & v4.__u ? (l4 = A(v4, l4, n3, !h5.__v), h5.__e && (h5.__e = null)) : "function" == typeof v4.type && void 0 !== _4 ? l4 = _4 : w5 && (l4 = w5.nextSibling), v4.__u &= -21);
  return r4.__e = d4, l4;
}
function q(n3, t6, r4, u4, i4) {
  var f5, o5, e4, l4, c4, a5, s4, p5, y5, v4 = r4.length, d4 = v4, _4 = 0, g5 = 0, k4 = n3.__k = Array(i4);
  for (f5 = 0; f5 < i4; f5++) null != (o5 = t6[f5]) && "boolean" != typeof o5 && "function" != typeof o5 ? ("object" != typeof o5 || o5.constructor === String ? o5 = k4[f5] = m(null, o5) : w(o5) ? o5 = k4[f5] = m($, { children: o5 }) : o5.constructor === h && o5.__b ? o5 = k4[f5] = m(o5.type, o5.props, o5.key, o5.ref, o5.__v) : k4[f5] = o5, l4 = f5 + _4, o5.__ = n3, o5.__b = n3.__b + 1, e4 = null, ~(c4 = o5.__i = P(o5, r4, l4, d4)) && (d4--, (e4 = r4[c4]) && (e4.__u |= 2)), e4 && e4.__v ? (o5.__u |= 16, c4 == l4 - 1 ? _4-- : c4 == l4 + 1 ? _4++ : c4 != l4 && (c4 > l4 ? _4-- : _4++, g5 = 1)) : (~c4 || (i4 > v4 ? _4-- : i4 < v4 && _4++), "function" != typeof o5.type && (o5.__u |= 4))) : k4[f5] = null;
  if (g5) {
    for (a5 = [], s4 = [], f5 = 0; f5 < i4; f5++) if ((o5 = k4[f5]) && 16 & o5.__u) {
      for (_4 = 0, p5 = a5.length; _4 < p5; ) a5[y5 = _4 + p5 >> 1] < o5.__i ? _4 = y5 + 1 : p5 = y5;
      a5[_4] = o5.__i, s4[f5] = _4 + 1;
    }
    for (_4 = a5.length; f5--; ) s4[f5] && (s4[f5] == _4 ? _4-- : k4[f5].__u |= 4);
  }
  if (d4) for (f5 = 0; f5 < v4; f5++) !(e4 = r4[f5]) || 2 & e4.__u || (e4.__e == u4 && (u4 = S(e4)), J(e4, e4));
  return u4;
}
function A(n3, t6, r4, u4) {
  var i4, f5, o5, e4;
  if ("function" == typeof n3.type) {
    if (n3.props.__P) return t6;
    if (i4 = n3.__k) for (f5 = 0; f5 < i4.length; f5++) i4[f5] && (i4[f5].__ = n3, t6 = A(i4[f5], t6, r4, false));
    return t6;
  }
  for (t6 && !t6.parentNode && (t6 = S(n3)) && !t6.parentNode && (t6 = null), o5 = n3.__e, e4 = t6; e4 && 8 == e4.nodeType; ) e4 = e4.nextSibling;
  for (o5 != e4 && (!u4 && r4.moveBefore && o5.parentNode ? r4.moveBefore(o5, t6) : r4.insertBefore(o5, t6 || null)), t6 = o5; (t6 = t6 && t6.nextSibling) && 8 == t6.nodeType && !t6.data.startsWith("$s"); ) ;
  return t6;
}
function P(n3, t6, r4, u4) {
  var i4, f5 = n3.key, o5 = n3.type, e4 = t6[r4], l4 = e4 && !(2 & e4.__u);
  if (null === e4 && null == f5 || l4 && f5 == e4.key && o5 == e4.type) return r4;
  if (u4 > (l4 ? 1 : 0)) {
    for (i4 = r4 - 1; i4 >= 0; i4--) if ((e4 = t6[i4]) && !(2 & e4.__u) && f5 == e4.key && o5 == e4.type) return i4;
    for (i4 = r4 + 1; i4 < t6.length; i4++) if ((e4 = t6[i4]) && !(2 & e4.__u) && f5 == e4.key && o5 == e4.type) return i4;
  }
  return -1;
}
function T(n3, t6, r4) {
  null == r4 && (r4 = ""), "-" == t6[0] ? n3.setProperty(t6, r4) : n3[t6] = r4;
}
function N(n3, t6, r4, u4, i4) {
  var f5, o5;
  if ("style" == t6) if ("string" == typeof r4) n3.style.cssText = r4;
  else {
    if ("string" == typeof u4 && (n3.style.cssText = u4 = ""), u4) for (t6 in u4) r4 && t6 in r4 || T(n3.style, t6);
    if (r4) for (t6 in r4) u4 && r4[t6] == u4[t6] || T(n3.style, t6, r4[t6]);
  }
  else if ("o" == t6[0] && "n" == t6[1]) "function" != typeof r4 && (r4 = null), "function" != typeof u4 && (u4 = null), (n3.__e || (n3.__e = {}))[t6] = r4, r4 && u4 || (o5 = a[t6] || (a[t6] = V(t6)), (n3.__a || (n3.__a = {}))[t6] = c, f5 = t6 != (t6 = t6.replace(l, "$1")), (t6 = t6.slice(2))[0] < "a" && (t6 = t6.toLowerCase()), r4 ? n3.addEventListener(t6, o5, f5) : n3.removeEventListener(t6, o5, f5));
  else {
    if ("http://www.w3.org/2000/svg" == i4) t6 = t6.replace(/xlink(H|:h)/, "h").replace(/sName$/, "s");
    else if ("width" != t6 && "height" != t6 && "href" != t6 && "list" != t6 && "form" != t6 && "tabIndex" != t6 && "download" != t6 && "rowSpan" != t6 && "colSpan" != t6 && "role" != t6 && "popover" != t6 && t6 in n3) try {
      return void (n3[t6] = null == r4 ? "" : r4);
    } catch (n4) {
    }
    if ("function" == typeof r4) return;
    null == r4 || false === r4 && "-" != t6[4] ? n3.removeAttribute(t6) : n3.setAttribute(t6, "popover" == t6 && 1 == r4 ? "" : r4);
  }
}
function V(t6) {
  return function(r4) {
    var u4 = this.__e;
    if (u4) {
      if (u4 = u4[t6], null == r4[e]) r4[e] = c++;
      else if (r4[e] < this.__a[t6]) return;
      return u4(n.event ? n.event(r4) : r4);
    }
  };
}
function z(t6, r4, u4, i4, f5, o5, e4, l4, c4, a5) {
  var s4, p5, v4, d4, k4, b3, m5, M3, C3, j3, L2, H2, q3, A4, O2, P2, T5, N2, V2 = r4.type;
  if (r4.constructor !== h) return null;
  128 & u4.__u && (c4 = 32 & u4.__u, s4 = u4.__c.__z) && (r4.__u |= c4, p5 = o5 = [], 8 == s4.nodeType ? l4 = B(s4, o5) : o5.push(s4), l4 = o5[0] || l4), (s4 = n.__b) && s4(r4);
  n: if ("function" == typeof V2) {
    v4 = e4.length;
    try {
      if (M3 = r4.props, C3 = (s4 = V2.prototype) && s4.render, j3 = (s4 = V2.contextType) && i4[s4.__c], L2 = s4 ? j3 ? j3.props.value : s4.__ : i4, (d4 = u4.__c) ? (r4.__c = d4, 2 & d4.__g && (d4.__g |= 1)) : (C3 ? r4.__c = d4 = new V2(M3, L2) : (r4.__c = d4 = new x(M3, L2), d4.constructor = V2, d4.render = K), j3 && j3.sub(d4), d4.state || (d4.state = {}), d4.__n = i4, d4.__g |= 8, d4.__h = [], d4.__k = []), C3 && (d4.__s || (d4.__s = d4.state), V2.getDerivedStateFromProps && (d4.__s == d4.state && (d4.__s = _({}, d4.__s)), _(d4.__s, V2.getDerivedStateFromProps(M3, d4.__s)))), k4 = d4.props, b3 = d4.state, d4.__v = r4, u4.__c) {
        if (M3 !== k4 && C3 && !V2.getDerivedStateFromProps && d4.componentWillReceiveProps && d4.componentWillReceiveProps(M3, L2), r4.__v == u4.__v && !(8 & d4.__g) || !(4 & d4.__g) && d4.shouldComponentUpdate && false === d4.shouldComponentUpdate(M3, d4.__s, L2)) {
          r4.__v != u4.__v && (d4.props = M3, d4.state = d4.__s, d4.__g &= -9), r4.__e = u4.__e, r4.__k = u4.__k, r4.__k.some(function(n3) {
            n3 && (n3.__ = r4);
          }), y.push.apply(d4.__h, d4.__k), d4.__k = [], d4.__h.length && e4.push(d4), l4 = S(u4);
          break n;
        }
        d4.componentWillUpdate && d4.componentWillUpdate(M3, d4.__s, L2), C3 && d4.componentDidUpdate && d4.__h.push(function() {
          d4.componentDidUpdate(k4, b3, m5);
        });
      } else C3 && !V2.getDerivedStateFromProps && d4.componentWillMount && d4.componentWillMount(), C3 && d4.componentDidMount && d4.__h.push(d4.componentDidMount);
      d4.context = L2, d4.props = M3, d4.__P = t6, d4.__g &= -5, H2 = n.__r, q3 = C3 ? 25 : 0;
      do {
        d4.__g &= -9, H2 && H2(r4), s4 = d4.render(d4.props, d4.state = d4.__s, d4.context);
      } while (8 & d4.__g && ++q3 < 25);
      C3 && (y.push.apply(d4.__h, d4.__k), d4.__k = []), d4.state = d4.__s, d4.getChildContext && (i4 = _({}, i4, d4.getChildContext())), C3 && u4.__c && d4.getSnapshotBeforeUpdate && (m5 = d4.getSnapshotBeforeUpdate(k4, b3)), A4 = s4 && s4.type === $ && null == s4.key ? s4.props.children : s4, M3.__P && (s4 = l4, f5 = (t6 = M3.__P).namespaceURI, c4 = o5 = null, u4.props && u4.props.__P != t6 && (u4.__k.some(function(n3) {
        n3 && J(n3, n3);
      }), u4.__k = null), l4 = u4.__k ? S(u4, 0) : null), l4 = I(t6, w(A4) ? A4 : [A4], r4, u4, i4, f5, o5, e4, l4, c4, a5), M3.__P && (r4.__e = null, l4 = s4), r4.__u &= -161, p5 && p5.some(g), d4.__h.length && e4.push(d4), 1 & d4.__g && (d4.__g &= -4);
    } catch (t7) {
      if (e4.length = v4, r4.__v = null, c4 || o5) if (t7 && t7.then) {
        if (r4.__u |= 128 | c4, o5) {
          for (~(T5 = o5.indexOf(l4 || void 0)) || (T5 = o5.length); (N2 = o5[T5 - 1]) && 8 == N2.nodeType; ) T5--;
          for (; T5 < o5.length; T5++) if (N2 = o5[T5]) if (o5[T5] = null, O2) {
            if (N2 == P2) break;
          } else {
            if (8 != N2.nodeType) break;
            N2.data.startsWith("$s") && (P2 = B(O2 = N2));
          }
        }
        if (!O2) {
          for (; l4 && 8 == l4.nodeType && l4.nextSibling; ) l4 = l4.nextSibling;
          O2 = l4;
        }
        (s4 = B(O2 = r4.__c.__z || (r4.__c.__z = O2))) ? (r4.__e = O2, l4 = s4) : r4.__e = l4, l4 = l4 && l4.nextSibling;
      } else o5 && o5.some(g);
      else r4.__e = u4.__e;
      r4.__k || (r4.__k = u4.__k || []), t7 && t7.then || D(r4), n.__e(t7, r4, u4);
    }
  } else l4 = r4.__e = F(u4.__e, r4, u4, i4, f5, o5, e4, c4, a5, t6);
  return (s4 = n.diffed) && s4(r4), l4;
}
function B(n3, t6) {
  if (n3 && 8 == n3.nodeType && n3.data.startsWith("$s")) for (var r4 = 1; n3 = n3.nextSibling; ) {
    if (8 == n3.nodeType) {
      if (n3.data.startsWith("$s")) r4++;
      else if (n3.data.startsWith("/$s") && !--r4) return n3;
    }
    t6 && t6.push(n3);
  }
}
function D(n3) {
  n3 && (n3.__c && (n3.__c.__g |= 4), n3.__k && n3.__k.some(D));
}
function E(t6, r4, u4) {
  for (var i4 = 0; i4 < u4.length; ) G(u4[i4++], u4[i4++], u4[i4++]);
  n.__c && n.__c(r4, t6), t6.some(function(r5) {
    try {
      t6 = r5.__h, r5.__h = [], t6.some(function(n3) {
        n3.call(r5);
      });
    } catch (t7) {
      n.__e(t7, r5.__v);
    }
  });
}
function F(t6, r4, u4, i4, f5, o5, e4, l4, c4, a5) {
  var s4, h5, y5, _4, k4, b3, m5, M3, $2 = u4.props || p, x4 = r4.props, C3 = r4.type;
  if ("svg" == C3 ? f5 = "http://www.w3.org/2000/svg" : "math" == C3 ? f5 = "http://www.w3.org/1998/Math/MathML" : f5 || (f5 = "http://www.w3.org/1999/xhtml"), o5) {
    for (s4 = 0; s4 < o5.length; s4++) if ((k4 = o5[s4]) && (C3 ? k4.localName == C3 : 3 == k4.nodeType)) {
      t6 = k4, o5[s4] = null;
      break;
    }
  }
  if (!t6) {
    if (M3 = a5.ownerDocument || document, !C3) return M3.createTextNode(x4);
    t6 = M3.createElementNS(f5, C3, x4.is ? x4 : a5), l4 && (n.__m && n.__m(r4, o5), l4 = false), o5 = null;
  }
  if (C3) {
    if (a5 = "template" == C3 && t6.content || t6, o5 = "textarea" == C3 && null != x4.defaultValue ? null : o5 && d.call(a5.childNodes), !l4 && o5) for ($2 = {}, s4 = 0; s4 < t6.attributes.length; s4++) $2[(k4 = t6.attributes[s4]).name] = k4.value;
    for (s4 in $2) k4 = $2[s4], "children" == s4 || s4 in x4 || "value" == s4 && "defaultValue" in x4 || "checked" == s4 && "defaultChecked" in x4 || N(t6, s4, null, k4, f5);
    for (s4 in x4) k4 = x4[s4], "children" == s4 ? _4 = k4 : "value" == s4 ? b3 = k4 : "checked" == s4 ? m5 = k4 : l4 && "function" != typeof k4 || $2[s4] === k4 || N(t6, s4, k4, $2[s4], f5);
    y5 && (t6.textContent = ""), ("foreignObject" == C3 || "http://www.w3.org/1998/Math/MathML" == f5 && v.test(C3)) && (f5 = "http://www.w3.org/1999/xhtml"), I(a5, w(_4) ? _4 : [_4], r4, u4, i4, f5, o5, e4, o5 ? o5[0] : u4.__k && S(u4, 0), l4, c4), o5 && o5.some(g), l4 && "textarea" != C3 || (s4 = "value", "progress" == C3 && null == b3 ? t6.removeAttribute(s4) : null == b3 || b3 === t6[s4] && ("progress" != C3 || b3) || N(t6, s4, b3, $2[s4], f5), s4 = "checked", null != m5 && m5 != t6[s4] && N(t6, s4, m5, $2[s4], f5));
  } else $2 === x4 || l4 && t6.data == x4 || (t6.data = x4);
  return t6;
}
function G(t6, r4, u4, i4) {
  try {
    "function" == typeof t6 ? r4 ? r4.__x = t6(r4) || 1 : i4 && (i4 = i4.__c || i4.__e) && (r4 = i4.__x) && (i4.__x = null, "function" == typeof r4 ? r4() : t6(null)) : t6.current = r4;
  } catch (t7) {
    n.__e(t7, u4);
  }
}
function J(t6, r4, u4) {
  var i4, f5, o5, e4;
  if (n.unmount && n.unmount(t6), !(i4 = t6.ref) || i4.current && i4.current != t6.__e || G(i4, null, r4, t6), i4 = t6.__c) {
    if (i4.componentWillUnmount) try {
      i4.componentWillUnmount();
    } catch (t7) {
      n.__e(t7, r4);
    }
    i4.__P = i4.__n = null;
  }
  if (i4 = t6.__k) for (e4 = 0; e4 < i4.length; e4++) i4[e4] && J(i4[e4], r4, "function" != typeof t6.type || u4 && !t6.props.__P);
  !u4 && (i4 = t6.__c) && (i4 = i4.__z) && (f5 = B(i4, o5 = [])) && (i4 == t6.__e && o5.some(g), g(f5), g(i4)), u4 || g(t6.__e), t6.__e = t6.__c = t6.__ = null;
}
function K(n3, t6, r4) {
  return this.constructor(n3, r4);
}
function Q(t6, r4) {
  var u4, i4, f5, o5;
  n.__ && n.__(t6, r4), 9 == r4.nodeType && (r4 = r4.documentElement), i4 = (u4 = t6 && 32 & t6.__u) ? null : r4.__k, r4.__k = m($, { children: [t6] }), f5 = [], o5 = [], z(r4, r4.__k, i4 || p, p, r4.namespaceURI, i4 ? null : r4.firstChild ? d.call(r4.childNodes) : null, f5, i4 ? i4.__e : r4.firstChild, u4, o5), E(f5, r4.__k, o5), r4.__k.props.children = null;
}
n = { __e: function(n3, t6, r4, u4) {
  for (var i4, o5, e4; t6 = t6.__; ) if ((i4 = t6.__c) && !(1 & i4.__g)) {
    i4.__g |= 4;
    try {
      if ((e4 = (o5 = i4.constructor) && o5.getDerivedStateFromError) && i4.setState(o5.getDerivedStateFromError(n3)), i4.componentDidCatch && (i4.componentDidCatch(n3, u4 || {}), e4 = 1), e4 && 8 & i4.__g) return void (i4.__g |= 2);
    } catch (t7) {
      n3 = t7;
    }
  }
  throw f = 0, n3;
} }, t = 0, r = function(n3) {
  return null != n3 && n3.constructor === h;
}, x.prototype.setState = function(n3, t6) {
  var r4 = this.__s;
  r4 && r4 != this.state || (r4 = this.__s = _({}, this.state)), "function" == typeof n3 && (n3 = n3(_({}, r4), this.props)), n3 && (_(r4, n3), this.__v && (t6 && this.__k.push(t6), L(this)));
}, x.prototype.forceUpdate = function(n3) {
  this.__v && (this.__g |= 4, n3 && this.__h.push(n3), L(this));
}, x.prototype.render = $, u = [], f = 0, o = function(n3, t6) {
  return n3.__v.__b - t6.__v.__b;
}, e = /* @__PURE__ */ Symbol(), l = /(PointerCapture)$|Capture$/i, c = 0, a = {}, s = 0;

// node_modules/preact/hooks/dist/hooks.mjs
var t2;
var r2;
var u2;
var i2;
var o2 = Object.is;
var f2 = 0;
var c2 = [];
var e2 = [];
var a2 = n;
var v2 = a2.__b;
var l2 = a2.__r;
var m2 = a2.diffed;
var h2 = a2.__c;
var s2 = a2.unmount;
var p2 = a2.__;
function y2(n3, t6) {
  a2.__h && a2.__h(r2, n3, f2 || t6), f2 = 0;
  var u4 = r2.__H || (r2.__H = { __: [], __h: [] });
  return n3 >= u4.__.length && u4.__.push({}), u4.__[n3];
}
function A2(n3, u4) {
  var i4 = y2(t2++, 3);
  !a2.__s && E2(i4.__H, u4) && (i4.__P = true, i4.__ = n3, i4.u = u4, r2.__H.__h.push(i4));
}
function F2(n3, u4) {
  var i4 = y2(t2++, 4);
  !a2.__s && E2(i4.__H, u4) && (i4.__P = false, i4.__ = n3, i4.u = u4, r2.__h.push(i4));
}
function T2(n3) {
  return f2 = 5, w2(function() {
    return { current: n3 };
  }, []);
}
function w2(n3, r4) {
  var u4 = y2(t2++, 7);
  return E2(u4.__H, r4) && (u4.__ = n3(), u4.__H = r4), u4.__;
}
function g2() {
  var n3;
  do {
    for (; n3 = e2.shift(); ) try {
      C2(n3);
    } catch (t7) {
      a2.__e(t7, { __: (n3 = n3.__P) && n3.__v });
    }
    for (; n3 = c2.shift(); ) {
      var t6 = n3.__H;
      if (n3.__P && t6) try {
        t6.__h.some(C2), t6.__h.some(D2), t6.__h = [];
      } catch (r4) {
        t6.__h = [], a2.__e(r4, n3.__v);
      }
    }
  } while (e2.length);
}
a2.__b = function(n3) {
  r2 = null, v2 && v2(n3);
}, a2.__ = function(n3, t6) {
  n3 && t6.__k && t6.__k.__m && (n3.__m = t6.__k.__m), p2 && p2(n3, t6);
}, a2.__r = function(n3) {
  l2 && l2(n3), t2 = 0;
  var i4 = (r2 = n3.__c).__H;
  i4 && (u2 == r2 ? r2.__h = [] : (i4.__h.some(C2), i4.__h.some(D2), t2 = 0), i4.__h = [], i4.__.some(function(n4) {
    n4.__N && (n4.__ = n4.__N), n4.u = n4.__N = void 0;
  })), u2 = r2;
}, a2.diffed = function(n3) {
  m2 && m2(n3);
  var t6 = n3.__c;
  t6 && t6.__H && (t6.__H.__h.length && B2(c2.push(t6)), t6.__H.__.some(function(n4) {
    n4.u && (n4.__H = n4.u);
  })), u2 = r2 = null;
}, a2.__c = function(n3, t6) {
  t6.some(function(n4) {
    try {
      n4.__h.some(C2), n4.__h = n4.__h.filter(function(n5) {
        return !n5.__ || D2(n5);
      });
    } catch (t7) {
      n4.__h = [function() {
        throw t7;
      }];
    }
  }), h2 && h2(n3, t6);
}, a2.unmount = function(n3) {
  s2 && s2(n3);
  var t6, r4, u4 = n3.__c;
  u4 && u4.__H && (u4.__H.__.some(function(u5) {
    try {
      if (u5.__P && u5.__c) {
        if (void 0 === r4) {
          for (r4 = n3.__; r4 && (!r4.__c || !r4.__c.__P); ) r4 = r4.__;
          r4 = r4 && r4.__c;
        }
        u5.__P = r4, B2(e2.push(u5));
      } else C2(u5);
    } catch (n4) {
      t6 = n4;
    }
  }), u4.__H = void 0, t6 && a2.__e(t6, u4.__v));
};
var k2 = "function" == typeof requestAnimationFrame;
function z2(n3) {
  var t6, r4 = function() {
    clearTimeout(u4), k2 && cancelAnimationFrame(t6), setTimeout(n3);
  }, u4 = setTimeout(r4, 35);
  k2 && (t6 = requestAnimationFrame(r4));
}
function B2(n3) {
  1 != n3 && i2 == a2.requestAnimationFrame || ((i2 = a2.requestAnimationFrame) || z2)(g2);
}
function C2(n3) {
  var t6 = r2, u4 = n3.__c;
  "function" == typeof u4 && (n3.__c = void 0, u4()), r2 = t6;
}
function D2(n3) {
  var t6 = r2;
  n3.__c = n3.__(), r2 = t6;
}
function E2(n3, t6) {
  return !n3 || n3.length != t6.length || t6.some(function(t7, r4) {
    return !o2(t7, n3[r4]);
  });
}

// node_modules/@preact/signals-core/dist/signals-core.module.js
var i3 = /* @__PURE__ */ Symbol.for("preact-signals");
function t3() {
  if (!(v3 > 1)) {
    var i4, t6 = false;
    !(function() {
      var i5 = c3;
      c3 = void 0;
      while (void 0 !== i5) {
        var t7 = i5.S;
        if (t7.v === i5.v) {
          for (var r5 = t7.t; void 0 !== r5; r5 = r5.x) if (r5.i === i5.i) r5.i = t7.i;
        }
        i5 = i5.o;
      }
    })();
    while (void 0 !== h3) {
      var r4 = h3;
      h3 = void 0;
      s3++;
      while (void 0 !== r4) {
        var n3 = r4.u;
        r4.u = void 0;
        r4.f &= -3;
        if (!(8 & r4.f) && w3(r4)) try {
          r4.c();
        } catch (r5) {
          if (!t6) {
            i4 = r5;
            t6 = true;
          }
        }
        r4 = n3;
      }
    }
    s3 = 0;
    v3--;
    if (t6) throw i4;
  } else v3--;
}
function r3(i4) {
  if (v3 > 0) return i4();
  u3 = ++e3;
  v3++;
  try {
    return i4();
  } finally {
    t3();
  }
}
var n2;
var o3 = void 0;
function f3(i4) {
  var t6 = o3, r4 = n2;
  o3 = void 0;
  n2 = void 0;
  try {
    return i4();
  } finally {
    o3 = t6;
    n2 = r4;
  }
}
var h3 = void 0;
var v3 = 0;
var s3 = 0;
var e3 = 0;
var u3 = 0;
var c3 = void 0;
var a3 = 0;
function d2(i4) {
  if (void 0 !== o3) {
    var t6 = i4.n;
    if (void 0 === t6 || t6.t !== o3) {
      t6 = { i: 0, S: i4, p: o3.s, n: void 0, t: o3, e: void 0, x: void 0, r: t6 };
      if (void 0 !== o3.s) o3.s.n = t6;
      o3.s = t6;
      i4.n = t6;
      if (32 & o3.f) i4.S(t6);
      return t6;
    } else if (-1 === t6.i) {
      t6.i = 0;
      if (void 0 !== t6.n) {
        t6.n.p = t6.p;
        if (void 0 !== t6.p) t6.p.n = t6.n;
        t6.p = o3.s;
        t6.n = void 0;
        o3.s.n = t6;
        o3.s = t6;
      }
      return t6;
    }
  }
}
function l3(i4, t6) {
  this.v = i4;
  this.i = 0;
  this.n = void 0;
  this.t = void 0;
  this.l = 0;
  this.W = null == t6 ? void 0 : t6.watched;
  this.Z = null == t6 ? void 0 : t6.unwatched;
  this.name = null == t6 ? void 0 : t6.name;
}
l3.prototype.brand = i3;
l3.prototype.h = function() {
  return true;
};
l3.prototype.S = function(i4) {
  var t6 = this, r4 = this.t;
  if (r4 !== i4 && void 0 === i4.e) {
    i4.x = r4;
    this.t = i4;
    if (void 0 !== r4) r4.e = i4;
    else f3(function() {
      var i5;
      null == (i5 = t6.W) || i5.call(t6);
    });
  }
};
l3.prototype.U = function(i4) {
  var t6 = this;
  if (void 0 !== this.t) {
    var r4 = i4.e, n3 = i4.x;
    if (void 0 !== r4) {
      r4.x = n3;
      i4.e = void 0;
    }
    if (void 0 !== n3) {
      n3.e = r4;
      i4.x = void 0;
    }
    if (i4 === this.t) {
      this.t = n3;
      if (void 0 === n3) f3(function() {
        var i5;
        null == (i5 = t6.Z) || i5.call(t6);
      });
    }
  }
};
l3.prototype.subscribe = function(i4) {
  var t6 = this;
  return x2(function() {
    var r4 = t6.value;
    f3(function() {
      return i4(r4);
    });
  }, { name: "sub" });
};
l3.prototype.valueOf = function() {
  return this.value;
};
l3.prototype.toString = function() {
  return this.value + "";
};
l3.prototype.toJSON = function() {
  return this.value;
};
l3.prototype.peek = function() {
  var i4 = this;
  return f3(function() {
    return i4.value;
  });
};
Object.defineProperty(l3.prototype, "value", { get: function() {
  var i4 = d2(this);
  if (void 0 !== i4) i4.i = this.i;
  return this.v;
}, set: function(i4) {
  if (i4 !== this.v) {
    if (s3 > 100) throw new Error("Cycle detected");
    !(function(i5) {
      if (0 !== v3 && 0 === s3) {
        if (i5.l !== u3) {
          i5.l = u3;
          c3 = { S: i5, v: i5.v, i: i5.i, o: c3 };
        }
      }
    })(this);
    this.v = i4;
    this.i++;
    a3++;
    v3++;
    try {
      for (var r4 = this.t; void 0 !== r4; r4 = r4.x) r4.t.N();
    } finally {
      t3();
    }
  }
} });
function y3(i4, t6) {
  return new l3(i4, t6);
}
function w3(i4) {
  for (var t6 = i4.s; void 0 !== t6; t6 = t6.n) if (t6.S.i !== t6.i || !t6.S.h() || t6.S.i !== t6.i) return true;
  return false;
}
function b(i4) {
  for (var t6 = i4.s; void 0 !== t6; t6 = t6.n) {
    var r4 = t6.S.n;
    if (void 0 !== r4) t6.r = r4;
    t6.S.n = t6;
    t6.i = -1;
    if (void 0 === t6.n) {
      i4.s = t6;
      break;
    }
  }
}
function _2(i4) {
  var t6 = i4.s, r4 = void 0;
  while (void 0 !== t6) {
    var n3 = t6.p;
    if (-1 === t6.i) {
      t6.S.U(t6);
      if (void 0 !== n3) n3.n = t6.n;
      if (void 0 !== t6.n) t6.n.p = n3;
    } else r4 = t6;
    t6.S.n = t6.r;
    if (void 0 !== t6.r) t6.r = void 0;
    t6 = n3;
  }
  i4.s = r4;
}
function j2(i4, t6) {
  l3.call(this, void 0, t6);
  this.x = i4;
  this.s = void 0;
  this.g = a3 - 1;
  this.f = 4;
}
j2.prototype = new l3();
j2.prototype.h = function() {
  this.f &= -3;
  if (1 & this.f) return false;
  if (32 == (36 & this.f)) return true;
  this.f &= -5;
  if (this.g === a3) return true;
  this.g = a3;
  this.f |= 1;
  if (this.i > 0 && !w3(this)) {
    this.f &= -2;
    return true;
  }
  var i4 = o3;
  try {
    b(this);
    o3 = this;
    var t6 = this.x();
    if (16 & this.f || this.v !== t6 || 0 === this.i) {
      this.v = t6;
      this.f &= -17;
      this.i++;
    }
  } catch (i5) {
    this.v = i5;
    this.f |= 16;
    this.i++;
  }
  o3 = i4;
  _2(this);
  this.f &= -2;
  return true;
};
j2.prototype.S = function(i4) {
  if (void 0 === this.t) {
    this.f |= 36;
    for (var t6 = this.s; void 0 !== t6; t6 = t6.n) t6.S.S(t6);
  }
  l3.prototype.S.call(this, i4);
};
j2.prototype.U = function(i4) {
  if (void 0 !== this.t) {
    l3.prototype.U.call(this, i4);
    if (void 0 === this.t) {
      this.f &= -33;
      for (var t6 = this.s; void 0 !== t6; t6 = t6.n) t6.S.U(t6);
    }
  }
};
j2.prototype.N = function() {
  if (!(2 & this.f)) {
    this.f |= 6;
    for (var i4 = this.t; void 0 !== i4; i4 = i4.x) i4.t.N();
  }
};
Object.defineProperty(j2.prototype, "value", { get: function() {
  if (1 & this.f) throw new Error("Cycle detected");
  var i4 = d2(this);
  this.h();
  if (void 0 !== i4) i4.i = this.i;
  if (16 & this.f) throw this.v;
  return this.v;
} });
function O(i4, t6) {
  return new j2(i4, t6);
}
function p3(i4) {
  var r4 = i4.j;
  i4.j = void 0;
  if ("function" == typeof r4) {
    v3++;
    var n3 = o3;
    o3 = void 0;
    try {
      r4();
    } catch (t6) {
      i4.f &= -2;
      i4.f |= 8;
      g3(i4);
      throw t6;
    } finally {
      o3 = n3;
      t3();
    }
  }
}
function g3(i4) {
  for (var t6 = i4.s; void 0 !== t6; t6 = t6.n) t6.S.U(t6);
  i4.x = void 0;
  i4.s = void 0;
  p3(i4);
}
function S2(i4) {
  if (o3 !== this) throw new Error("Out-of-order effect");
  _2(this);
  o3 = i4;
  this.f &= -2;
  try {
    if (8 & this.f) g3(this);
  } finally {
    t3();
  }
}
function m3(i4, t6) {
  this.x = i4;
  this.j = void 0;
  this.s = void 0;
  this.u = void 0;
  this.f = 32;
  this.name = null == t6 ? void 0 : t6.name;
  if (n2) n2.push(this);
}
m3.prototype.c = function() {
  var i4 = this.S();
  try {
    if (8 & this.f) return;
    if (void 0 === this.x) return;
    var t6 = this.x();
    if ("function" == typeof t6) this.j = t6;
  } finally {
    i4();
  }
};
m3.prototype.S = function() {
  if (1 & this.f) throw new Error("Cycle detected");
  this.f |= 1;
  this.f &= -9;
  p3(this);
  b(this);
  v3++;
  var i4 = o3;
  o3 = this;
  return S2.bind(this, i4);
};
m3.prototype.N = function() {
  if (!(2 & this.f)) {
    this.f |= 2;
    this.u = h3;
    h3 = this;
  }
};
m3.prototype.d = function() {
  this.f |= 8;
  if (!(1 & this.f)) g3(this);
};
m3.prototype.dispose = function() {
  this.d();
};
function x2(i4, t6) {
  var r4 = new m3(i4, t6);
  try {
    r4.c();
  } catch (i5) {
    r4.d();
    throw i5;
  }
  var n3 = r4.d.bind(r4);
  n3[Symbol.dispose] = n3;
  return n3;
}

// node_modules/@preact/signals/dist/signals.module.js
var h4;
var d3;
var p4;
var m4 = "undefined" != typeof window && !!window.__PREACT_SIGNALS_DEVTOOLS__;
var _3 = [];
var g4 = [];
x2(function() {
  h4 = this.N;
})();
function b2(i4, n3) {
  n[i4] = n3.bind(null, n[i4] || function() {
  });
}
function y4(i4) {
  if (p4) {
    var n3 = p4;
    p4 = void 0;
    n3();
  }
  p4 = i4 && i4.S();
}
function w4(i4) {
  var n3 = this, r4 = i4.data, t6 = useSignal(r4);
  t6.name = "ReactiveDom";
  t6.value = r4;
  var e4 = w2(function() {
    var i5 = n3, r5 = n3.__v;
    while (r5 = r5.__) if (r5.__c) {
      r5.__c.__$f |= 4;
      break;
    }
    var o5 = O(function() {
      var i6 = t6.value.value;
      return 0 === i6 ? 0 : true === i6 ? "" : i6 || "";
    }), e5 = O(function() {
      return !Array.isArray(o5.value) && !r(o5.value);
    }), u5 = x2(function() {
      this.N = M2;
      if (e5.value) {
        var n4 = o5.value;
        if (i5.__v && i5.__v.__e && 3 === i5.__v.__e.nodeType) i5.__v.__e.data = n4;
      }
    }), c5 = n3.__$u.d;
    n3.__$u.d = function() {
      u5();
      c5.call(this);
    };
    return [e5, o5];
  }, []), u4 = e4[0], c4 = e4[1];
  return u4.value ? c4.peek() : c4.value;
}
w4.displayName = "ReactiveTextNode";
Object.defineProperties(l3.prototype, { constructor: { configurable: true, value: k($, null).constructor }, type: { configurable: true, value: w4 }, props: { configurable: true, get: function() {
  var i4 = this;
  return { data: { get value() {
    return i4.value;
  } } };
} }, __b: { configurable: true, value: 1 } });
b2("__b", function(i4, n3) {
  y4();
  d3 = void 0;
  if ("string" == typeof n3.type) {
    var r4, t6 = n3.props;
    for (var f5 in t6) if ("children" !== f5) {
      var o5 = t6[f5];
      if (o5 instanceof l3) {
        if (!r4) n3.__np = r4 = {};
        r4[f5] = o5;
        t6[f5] = o5.peek();
      }
    }
  }
  i4(n3);
});
b2("__r", function(i4, r4) {
  i4(r4);
  if (r4.type !== $) {
    y4();
    var t6, f5 = r4.__c;
    if (f5) {
      f5.__$f &= -2;
      if (void 0 === (t6 = f5.__$u)) f5.__$u = t6 = (function(i5, n3) {
        var r5;
        x2(function() {
          r5 = this;
        }, { name: n3 });
        r5.c = i5;
        return r5;
      })(/* @__PURE__ */ (function(i5) {
        return function() {
          var n3;
          if (m4) null == (n3 = this.y) || n3.call(this);
          i5.__$f |= 1;
          i5.setState({});
        };
      })(f5), "function" == typeof r4.type ? r4.type.displayName || r4.type.name : "");
    }
    d3 = f5;
    y4(t6);
  }
});
b2("__e", function(i4, n3, r4, t6) {
  y4();
  d3 = void 0;
  i4(n3, r4, t6);
});
b2("diffed", function(i4, n3) {
  y4();
  d3 = void 0;
  var r4;
  if ("string" == typeof n3.type && (r4 = n3.__e)) {
    var t6 = n3.__np, f5 = n3.props, o5 = r4.U;
    if (o5) for (var e4 in o5) {
      var u4 = o5[e4];
      if (!(void 0 === u4 || t6 && e4 in t6)) {
        u4.d();
        o5[e4] = void 0;
      }
    }
    if (t6) {
      if (!o5) {
        o5 = {};
        r4.U = o5;
      }
      for (var a5 in t6) {
        var c4 = o5[a5], v4 = t6[a5];
        if (void 0 === c4) {
          c4 = k3(r4, a5, v4, f5);
          o5[a5] = c4;
        } else c4.o(v4, f5);
      }
    }
  }
  i4(n3);
});
function k3(i4, n3, r4, t6) {
  var f5 = n3 in i4 && void 0 === i4.ownerSVGElement, o5 = y3(r4);
  return { o: function(i5, n4) {
    o5.value = i5;
    t6 = n4;
  }, d: x2(function() {
    this.N = M2;
    var r5 = o5.value.value;
    if (t6[n3] !== r5) {
      t6[n3] = r5;
      if (f5) i4[n3] = r5;
      else if (null != r5 && (false !== r5 || "-" === n3[4])) i4.setAttribute(n3, r5);
      else i4.removeAttribute(n3);
    }
  }) };
}
b2("unmount", function(i4, n3) {
  if ("string" == typeof n3.type) {
    var r4 = n3.__e;
    if (r4) {
      var t6 = r4.U;
      if (t6) {
        r4.U = void 0;
        for (var f5 in t6) {
          var o5 = t6[f5];
          if (o5) o5.d();
        }
      }
    }
    var e4 = n3.__np;
    if (e4) {
      var u4 = n3.props;
      for (var a5 in e4) u4[a5] = e4[a5];
    }
    n3.__np = void 0;
  } else {
    var c4 = n3.__c;
    if (c4) {
      c4.__$f |= 8;
      var v4 = c4.__$u;
      if (v4) {
        c4.__$u = void 0;
        v4.d();
      }
    }
  }
  i4(n3);
});
b2("__h", function(i4, n3, r4, t6) {
  if (t6 < 3) n3.__$f |= 2;
  i4(n3, r4, t6);
});
x.prototype.shouldComponentUpdate = function(i4, n3) {
  if (this.__R) return true;
  var r4 = this.__$u, t6 = r4 && void 0 !== r4.s;
  for (var f5 in n3) return true;
  if (this.__f || "boolean" == typeof this.u && true === this.u) {
    var o5 = 2 & this.__$f;
    if (!(t6 || o5 || 4 & this.__$f)) return true;
    if (1 & this.__$f) return true;
  } else {
    if (!(t6 || 4 & this.__$f)) return true;
    if (3 & this.__$f) return true;
  }
  for (var e4 in i4) if ("__source" !== e4 && i4[e4] !== this.props[e4]) return true;
  for (var u4 in this.props) if (!(u4 in i4)) return true;
  return false;
};
function useSignal(i4, n3) {
  return w2(function() {
    return y3(i4, n3);
  }, []);
}
function useComputed(i4, n3) {
  var r4 = T2(i4);
  r4.current = i4;
  d3.__$f |= 4;
  return w2(function() {
    return O(function() {
      return r4.current();
    }, n3);
  }, []);
}
var q2 = "undefined" == typeof requestAnimationFrame ? setTimeout : function(i4) {
  var n3 = function() {
    clearTimeout(r4);
    cancelAnimationFrame(t6);
    i4();
  }, r4 = setTimeout(n3, 35), t6 = requestAnimationFrame(n3);
};
var A3 = function(i4) {
  queueMicrotask(function() {
    queueMicrotask(i4);
  });
};
function T4() {
  r3(function() {
    var i4;
    while (i4 = _3.shift()) h4.call(i4);
  });
}
function x3() {
  if (1 === _3.push(this)) (n.requestAnimationFrame || q2)(T4);
}
function F3() {
  r3(function() {
    var i4;
    while (i4 = g4.shift()) h4.call(i4);
  });
}
function M2() {
  if (1 === g4.push(this)) (n.requestAnimationFrame || A3)(F3);
}
function useSignalEffect(i4, n3) {
  var r4 = T2(i4);
  r4.current = i4;
  var t6 = d3;
  A2(function() {
    return x2(function() {
      this.N = x3;
      if (!(t6 && 8 & t6.__$f)) return r4.current();
    }, n3);
  }, []);
}

// src/doc.ts
function docTrouble(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "This is not a game document.";
  const doc = value;
  if (doc.format !== "warg-game") return 'This is not a game document: its "format" is not "warg-game".';
  if (doc.version !== 1) return `This page reads game documents of version 1; this one has version ${String(doc.version)}.`;
  for (const key of ["seats", "phases", "events"])
    if (!Array.isArray(doc[key])) return `This game document has no list of ${key}.`;
  for (const key of ["view", "rules", "source"])
    if (typeof doc[key] !== "object" || doc[key] === null) return `This game document has no "${key}".`;
  if (doc.seats.length === 0) return "This game document has no seats.";
  return null;
}
function readDoc(value) {
  const trouble = docTrouble(value);
  if (trouble !== null) throw new Error(trouble);
  return value;
}

// src/opened.ts
var shownDocs = y3([]);
var exported = y3(false);
function takeDocumentsInside() {
  const found2 = [];
  for (const element of document.querySelectorAll('script[type="application/json"]'))
    found2.push(readDoc(JSON.parse(element.textContent ?? "null")));
  if (found2.length === 0 && location.protocol !== "file:") return;
  exported.value = true;
  shownDocs.value = found2;
}

// node_modules/preact/jsx-runtime/dist/jsxRuntime.mjs
var f4 = /* @__PURE__ */ Symbol.for("pv");
var o4 = 0;
function a4(t6, e4, n3, u4, a5, i4) {
  e4 || (e4 = {});
  var c4, l4, p5 = e4;
  if ("ref" in p5 && "function" != typeof t6) for (l4 in p5 = {}, e4) "ref" == l4 ? c4 = e4[l4] : p5[l4] = e4[l4];
  var s4 = { type: t6, props: p5, key: n3, ref: c4, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: f4, __v: --o4, __i: -1, __u: 0 };
  return (a5 || i4) && (s4.__source = a5, s4.__self = i4), n.vnode && n.vnode(s4), s4;
}

// src/parts/Toast.tsx
var lines = y3([]);
var lastId = 0;
function toast(text, bad = false) {
  const line = { id: ++lastId, text, bad };
  lines.value = [...lines.value.slice(-2), line];
  setTimeout(() => {
    lines.value = lines.value.filter((each) => each.id !== line.id);
  }, bad ? 8e3 : 2500);
}
var Toasts = () => /* @__PURE__ */ a4("div", { class: "toasts", role: "status", children: lines.value.map((line) => /* @__PURE__ */ a4("div", { class: line.bad ? "toast bad" : "toast", children: line.text }, line.id)) });

// src/parts/Face.tsx
function faceShape(name, seat) {
  let hash = 2166136261;
  for (const unit2 of `${name}/${seat}`) hash = Math.imul(hash ^ (unit2.codePointAt(0) ?? 0), 16777619) >>> 0;
  hash = (hash ^ hash >>> 15) >>> 0;
  return { hair: hash % 6, eyes: (hash >>> 8) % 4, extra: (hash >>> 16) % 5 };
}
var faceId = (shape) => `face-${shape.hair}${shape.eyes}${shape.extra}`;
var hairBehind = [
  null,
  /* @__PURE__ */ a4("path", { d: "M14 34Q12 12 32 11T50 34Q51 46 47 50H17Q13 46 14 34z", class: "f-hair" }),
  /* @__PURE__ */ a4("g", { class: "f-hair", children: [
    /* @__PURE__ */ a4("circle", { cx: "19", cy: "19", r: "7.500" }),
    /* @__PURE__ */ a4("circle", { cx: "32", cy: "13.500", r: "8" }),
    /* @__PURE__ */ a4("circle", { cx: "45", cy: "19", r: "7.500" })
  ] }),
  null,
  /* @__PURE__ */ a4("circle", { cx: "32", cy: "10", r: "6.500", class: "f-hair" }),
  null
];
var hairBefore = [
  /* @__PURE__ */ a4("path", { d: "M16.500 30Q15 14 32 13.500T47.500 30Q44 23 38 21.500 27 24 20.500 22.500 18 25 16.500 30z", class: "f-hair" }),
  /* @__PURE__ */ a4("path", { d: "M17 31Q16 15 32 15T47 31Q45 22.500 32 21.500 19 22.500 17 31z", class: "f-hair" }),
  /* @__PURE__ */ a4("path", { d: "M17 28Q18 17 32 17T47 28Q42 22.500 32 22.500T17 28z", class: "f-hair" }),
  /* @__PURE__ */ a4("path", { d: "M16.500 31Q14.500 14 33 13 48.500 14 47.500 31 46.500 25 42.500 22 34 28 22 26 18 27 16.500 31z", class: "f-hair" }),
  /* @__PURE__ */ a4("path", { d: "M16.500 29Q17 15 32 15T47.500 29Q44 20.500 35 20 30 19.500 27 21 19 22.500 16.500 29z", class: "f-hair" }),
  /* @__PURE__ */ a4("path", { d: "M16.500 30Q15.500 14 30 13 36 9.500 41 14 48.500 17 47.500 30 45 24.500 41.500 23L38 25.500 35 22 31 25.500 27.500 22 23 25.500 20.500 23Q17.500 25.500 16.500 30z", class: "f-hair" })
];
var eyesOf = [
  /* @__PURE__ */ a4("g", { class: "f-ink", children: [
    /* @__PURE__ */ a4("circle", { cx: "26", cy: "32.500", r: "2" }),
    /* @__PURE__ */ a4("circle", { cx: "38", cy: "32.500", r: "2" })
  ] }),
  /* @__PURE__ */ a4("g", { class: "f-line", children: [
    /* @__PURE__ */ a4("path", { d: "M23 33q3-3.500 6 0" }),
    /* @__PURE__ */ a4("path", { d: "M35 33q3-3.500 6 0" })
  ] }),
  /* @__PURE__ */ a4("g", { class: "f-ink", children: [
    /* @__PURE__ */ a4("ellipse", { cx: "26", cy: "32.500", rx: "1.700", ry: "2.700" }),
    /* @__PURE__ */ a4("ellipse", { cx: "38", cy: "32.500", rx: "1.700", ry: "2.700" })
  ] }),
  /* @__PURE__ */ a4("g", { class: "f-line", children: [
    /* @__PURE__ */ a4("path", { d: "M23.500 32.500h5" }),
    /* @__PURE__ */ a4("path", { d: "M35.500 32.500h5" })
  ] })
];
var extras = [
  /* @__PURE__ */ a4("path", { d: "M28 41q4 3.500 8 0", class: "f-line" }),
  /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("g", { class: "f-line", children: [
      /* @__PURE__ */ a4("circle", { cx: "26", cy: "32.500", r: "5" }),
      /* @__PURE__ */ a4("circle", { cx: "38", cy: "32.500", r: "5" }),
      /* @__PURE__ */ a4("path", { d: "M31 32h2" })
    ] }),
    /* @__PURE__ */ a4("path", { d: "M28.500 42h7", class: "f-line" })
  ] }),
  /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("path", { d: "M25 40q3.500-3 7-.6 3.500-2.400 7 .6-3.500 1.800-7 .6-3.500 1.200-7-.6z", class: "f-hair" }),
    /* @__PURE__ */ a4("path", { d: "M29.500 43.500q2.500 1.500 5 0", class: "f-line" })
  ] }),
  /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("g", { class: "f-blush", children: [
      /* @__PURE__ */ a4("circle", { cx: "22.500", cy: "38", r: "3" }),
      /* @__PURE__ */ a4("circle", { cx: "41.500", cy: "38", r: "3" })
    ] }),
    /* @__PURE__ */ a4("path", { d: "M28.500 40.500q3.500 4.500 7 0z", class: "f-ink" })
  ] }),
  /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("path", { d: "M28 41.500q4 2.500 8 0", class: "f-line" }),
    /* @__PURE__ */ a4("path", { d: "M22.500 27.500q3.500-2 6.500-.5M35 27q3-1.500 6.500.5", class: "f-line" })
  ] })
];
var symbolOf = (shape) => /* @__PURE__ */ a4("symbol", { id: faceId(shape), viewBox: "4 3 56 56", children: [
  /* @__PURE__ */ a4("rect", { width: "64", height: "64", class: "f-ground" }),
  hairBehind[shape.hair],
  /* @__PURE__ */ a4("path", { d: "M10 66Q11 50 27 48.500V44h10v4.500Q53 50 54 66z", class: "f-coat" }),
  /* @__PURE__ */ a4("path", { d: "M27 45h10v4.500q-5 4-10 0z", class: "f-shade" }),
  /* @__PURE__ */ a4("path", { d: "M17.500 29Q17 17 32 17T46.500 29Q47 47.500 32 47.500T17.500 29z", class: "f-skin" }),
  extras[shape.extra],
  eyesOf[shape.eyes],
  hairBefore[shape.hair]
] }, faceId(shape));
function FaceDefs({ seats }) {
  const shapes = new Map(seats.map((each) => [faceId(faceShape(each.name, each.seat)), faceShape(each.name, each.seat)]));
  return /* @__PURE__ */ a4("svg", { class: "defs", "aria-hidden": "true", width: "0", height: "0", children: /* @__PURE__ */ a4("defs", { children: [...shapes.values()].map(symbolOf) }) });
}
var Face = ({ seat, name, dead }) => /* @__PURE__ */ a4("svg", { class: `face s${seat}${dead ? " gone" : ""}`, viewBox: "0 0 64 64", "aria-hidden": "true", children: /* @__PURE__ */ a4("use", { href: `#${faceId(faceShape(name, seat))}` }) });

// src/parts/shown.ts
var hidden = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/g;
var joined = /(\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]*)\u200D(?=\p{Extended_Pictographic})/gu;
var joinMark = "";
function shown(text) {
  hidden.lastIndex = 0;
  if (!hidden.test(text)) return text;
  return text.replace(joined, `$1${joinMark}`).replace(hidden, "�").replaceAll(joinMark, "‍");
}
var isNumberName = (name) => /^Agent\[\d\d\]$/.test(name);

// src/parts/Chip.tsx
function hues(count) {
  const made = {};
  for (let seat = 1; seat <= Math.max(count, 1); seat++)
    made[`--h${seat}`] = (20 + (seat - 1) * 360 / Math.max(count, 1)).toFixed(1);
  return made;
}
var Chip = ({ seat, faded }) => /* @__PURE__ */ a4("span", { class: `chip s${seat}${faded ? " faded" : ""}`, children: seat });
var Name = ({ text }) => /* @__PURE__ */ a4("bdi", { class: "name", children: shown(text) });
var Who = ({ seat, name, faded }) => /* @__PURE__ */ a4("span", { class: "who", children: [
  /* @__PURE__ */ a4(Chip, { seat, faded }),
  !isNumberName(name) && /* @__PURE__ */ a4($, { children: [
    " ",
    /* @__PURE__ */ a4(Name, { text: name })
  ] })
] });

// src/base.ts
var base = "/web/";

// src/kept.ts
function kept(key) {
  try {
    return localStorage.getItem(`warg.${key}`);
  } catch {
    return null;
  }
}
function keep(key, value) {
  try {
    localStorage.setItem(`warg.${key}`, value);
  } catch {
  }
}
function operatorSecret() {
  try {
    return sessionStorage.getItem("warg.operator") ?? "";
  } catch {
    return "";
  }
}

// src/settings.ts
function choice(key, allowed, first) {
  const old = kept(key);
  const made = y3(old !== null && allowed.includes(old) ? old : first);
  let before = made.value;
  x2(() => {
    if (made.value !== before) keep(key, made.value);
    before = made.value;
  });
  return made;
}
var browserLang = () => typeof navigator !== "undefined" && navigator.language.toLowerCase().startsWith("ja") ? "ja" : "en";
var lang = choice("lang", ["en", "ja"], browserLang());
var theme = choice("theme", ["system", "light", "dark"], "system");
var sentences = choice("sentences", ["plain", "said"], "plain");
var keysOn = choice("keys", ["on", "off"], "on");
var course = choice("course", ["reached", "whole"], "reached");
var aloud = choice("aloud", ["all", "deeds", "nothing"], "all");
function applySettings() {
  x2(() => {
    document.documentElement.lang = lang.value;
  });
  x2(() => {
    if (theme.value === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme.value;
  });
}
var darkNow = () => theme.value === "dark" || theme.value === "system" && matchMedia("(prefers-color-scheme: dark)").matches;
var nextTheme = () => {
  theme.value = darkNow() ? "light" : "dark";
};

// src/wording.ts
var plural = new Intl.PluralRules("en");
var numbers = { en: new Intl.NumberFormat("en"), ja: new Intl.NumberFormat("ja") };
var num = (n3) => numbers[lang.value].format(n3);
function wording(table2) {
  const row = (key) => table2[key][lang.value === "ja" ? 1 : 0];
  return {
    t: (key, places) => {
      let text = row(key);
      const bar = text.indexOf("|");
      if (bar >= 0 && places && typeof places["n"] === "number")
        text = plural.select(places["n"]) === "one" ? text.slice(0, bar) : text.slice(bar + 1);
      if (!places) return text;
      return text.replace(/\{(\w+)\}/g, (whole2, name) => {
        const value = places[name];
        return value === void 0 ? whole2 : typeof value === "number" ? num(value) : value;
      });
    },
    tn: (key, places) => row(key).split(/\{(\w+)\}/).map((part, i4) => i4 % 2 === 0 ? part : places[part])
  };
}

// src/words_shared.ts
var sharedWords = {
  siteName: ["Werewolf", "人狼"],
  toHome: ["To the start page", "最初のページへ"],
  toBack: ["Back", "戻る"],
  otherLang: ["日本語", "English"],
  otherLangTitle: ["日本語で表示", "Show in English"],
  themeTitle: ["Light or dark", "明るい・暗い"],
  close: ["Close", "閉じる"],
  nav: ["Pages", "ページ"],
  loadingThing: ["Loading…", "読み込み中…"],
  tryAgain: ["Try again", "もう一度"],
  troubleTitle: ["This did not work", "うまくいきませんでした"]
};
var { t: t4 } = wording(sharedWords);

// src/parts/TopBar.tsx
var Mark = () => /* @__PURE__ */ a4("svg", { class: "mark", viewBox: "0 0 32 32", "aria-hidden": "true", children: [
  /* @__PURE__ */ a4("circle", { cx: "16", cy: "16", r: "14.500", class: "ring" }),
  /* @__PURE__ */ a4("path", { d: "M6.500 7.500l5.700 3.700q3.800-1.300 7.600 0l5.700-3.700q1 8.500-2.800 12.700L16 26.500l-6.700-6.300Q5.500 16 6.500 7.500zM10.500 15l4 2.600-3 .7zm11 0l-4 2.600 3 .7z", fill: "currentColor", "fill-rule": "evenodd" })
] });
var HalfMoon = () => /* @__PURE__ */ a4("svg", { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true", children: [
  /* @__PURE__ */ a4("circle", { cx: "10", cy: "10", r: "7", fill: "none", stroke: "currentColor", "stroke-width": "1.800" }),
  /* @__PURE__ */ a4("path", { d: "M10 3a7 7 0 0 1 0 14z", fill: "currentColor" })
] });
var LangButton = () => /* @__PURE__ */ a4(
  "button",
  {
    type: "button",
    class: "button",
    lang: lang.value === "en" ? "ja" : "en",
    title: t4("otherLangTitle"),
    onClick: () => {
      lang.value = lang.value === "en" ? "ja" : "en";
    },
    children: t4("otherLang")
  }
);
function ThemeButton() {
  void theme.value;
  return /* @__PURE__ */ a4("button", { type: "button", class: "button square", "aria-label": t4("themeTitle"), "aria-pressed": darkNow(), title: t4("themeTitle"), onClick: nextTheme, children: /* @__PURE__ */ a4(HalfMoon, {}) });
}
var TopBar = ({ children, home = base }) => /* @__PURE__ */ a4("header", { class: "topbar", children: [
  home ? /* @__PURE__ */ a4("a", { class: "brand", href: home, "aria-label": t4(home === base || home === "/" ? "toHome" : "toBack"), children: /* @__PURE__ */ a4(Mark, {}) }) : /* @__PURE__ */ a4("span", { class: "brand", children: /* @__PURE__ */ a4(Mark, {}) }),
  children,
  children === void 0 && /* @__PURE__ */ a4("span", { class: "space" }),
  /* @__PURE__ */ a4(LangButton, {}),
  /* @__PURE__ */ a4(ThemeButton, {})
] });

// src/game/source.ts
var ofServer = (id) => ({
  doc: (view) => `games/${encodeURIComponent(id)}/doc?view=${view}`,
  log: `${base}g/${encodeURIComponent(id)}/log`,
  home: base
});
var contestGame = /^\/([a-z0-9-]{2,32})\/games\/(\d{1,19})\/watch$/;
function ofContest(path) {
  const [, contest = "", id = ""] = contestGame.exec(path) ?? [];
  const api = `/api/v1/contests/${contest}/games/${id}`;
  return contest === "" ? null : { doc: (view) => `${api}/doc?view=${view}`, log: `${api}/log`, home: `/${contest}/games/${id}` };
}

// src/feed.ts
var FIRST_WAIT = 500;
var LAST_WAIT = 15e3;
var SPREAD = 0.3;
var NOTICE_AFTER = 2e3;
var HIDDEN_FOR = 6e4;
var PING_EACH = 25e3;
var PONG_WITHIN = 1e4;
var RATE_WAIT = 5e3;
var WATCHES_MAX = 9;
var Feed = class {
  constructor(world) {
    this.world = world;
  }
  world;
  state = "idle";
  lost = false;
  // for longer than NOTICE_AFTER: the page says so
  keep = false;
  // a seat's page: hidden or not, the socket stays
  line;
  serial = 0;
  // of the connection; events of an older one are nothing
  tries = 0;
  slow = false;
  visible = true;
  closed = false;
  wanted = /* @__PURE__ */ new Map();
  rooms = /* @__PURE__ */ new Set();
  secret;
  retry;
  notice;
  hide;
  ping;
  pong;
  heard = /* @__PURE__ */ new Set();
  changed = /* @__PURE__ */ new Set();
  onMessage(hear) {
    this.heard.add(hear);
    return () => void this.heard.delete(hear);
  }
  onState(hear) {
    this.changed.add(hear);
    return () => void this.changed.delete(hear);
  }
  // An operator's secret; the first frame of every connection.
  login(secret) {
    if (secret === this.secret) return;
    this.secret = secret;
    this.reconnect();
  }
  // `after` as the document has it; a later call for the same game replaces the earlier one. False:
  // there are too many.
  watch(game, view, after) {
    if (!this.wanted.has(game) && this.wanted.size >= WATCHES_MAX) return false;
    this.wanted.set(game, { view, after });
    if (this.state === "open") this.sendWatch(game);
    else this.start();
    return true;
  }
  unwatch(game) {
    if (this.wanted.delete(game)) this.send({ type: "unwatch", game });
  }
  // A room's, the home page's or a contest's changes.
  follow(what) {
    const text = JSON.stringify(what);
    this.rooms.add(text);
    if (this.state === "open") this.line?.send(text);
    else this.start();
    return () => void this.rooms.delete(text);
  }
  // False when there is no connection: whoever answers tries again when there is one.
  send(message) {
    if (this.state !== "open" || !this.line) return false;
    this.line.send(JSON.stringify(message));
    return true;
  }
  start() {
    this.closed = false;
    if (this.state === "idle") this.connect();
  }
  stop() {
    this.closed = true;
    this.drop();
    this.clear("retry", "notice", "hide");
    this.set("idle");
  }
  // The page has become visible or hidden.
  seen(visible) {
    this.visible = visible;
    this.clear("hide");
    if (visible) this.hurry();
    else if (!this.keep) this.hide = this.world.later(HIDDEN_FOR, () => this.rest());
  }
  // The network is back.
  online() {
    this.hurry();
  }
  rest() {
    if (this.keep || this.visible) return;
    this.drop();
    this.clear("retry", "notice");
    this.set("idle");
  }
  hurry() {
    if (this.closed || !this.wants()) return;
    if (this.state === "open") this.check(PONG_WITHIN / 2);
    else if (this.state !== "connecting") {
      this.tries = 0;
      this.connect();
    }
  }
  wants() {
    return this.keep || this.wanted.size > 0 || this.rooms.size > 0;
  }
  /** The server knows a socket by the cookies that it came with: there are others now. */
  renew() {
    this.reconnect();
  }
  reconnect() {
    if (this.state === "idle" || this.closed) return;
    this.tries = 0;
    this.connect();
  }
  connect() {
    this.drop();
    this.clear("retry");
    const serial = ++this.serial;
    const mine = () => serial === this.serial;
    this.set("connecting");
    this.line = this.world.connect({
      open: () => mine() && this.opened(),
      message: (text) => mine() && this.received(text),
      closed: () => mine() && this.ended()
    });
  }
  opened() {
    this.set("open");
    if (this.secret !== void 0) this.send({ type: "login", secret: this.secret });
    for (const game of this.wanted.keys()) this.sendWatch(game);
    for (const text of this.rooms) this.line?.send(text);
    this.schedulePing();
  }
  sendWatch(game) {
    const { view, after } = this.wanted.get(game);
    this.send(after === void 0 ? { type: "watch", game, view } : { type: "watch", game, view, after });
  }
  received(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    if (typeof message !== "object" || message === null || typeof message.type !== "string") return;
    this.clear("pong");
    if (message.type === "error") this.slow = message.code === "rate";
    else this.tries = 0;
    if (message.type === "error" && (message.code === "login" || message.code === "tries")) this.secret = void 0;
    const watch = this.wanted.get(String(message.game));
    if (watch && message.type === "events" && typeof message.id === "string") watch.after = message.id;
    if (watch && message.type === "again") watch.after = void 0;
    if (message.type === "gone") this.wanted.delete(String(message.game));
    for (const hear of [...this.heard]) hear(message);
  }
  ended() {
    this.serial++;
    this.line = void 0;
    this.clear("ping", "pong");
    if (this.closed || !this.wants()) {
      this.set("idle");
      return;
    }
    const wait = Math.min(LAST_WAIT, FIRST_WAIT * 2 ** this.tries);
    const spread2 = 1 + (this.world.random() * 2 - 1) * SPREAD;
    this.tries++;
    this.set("waiting");
    this.retry = this.world.later((this.slow ? Math.max(wait, RATE_WAIT) : wait) * spread2, () => this.connect());
    this.slow = false;
  }
  drop() {
    this.serial++;
    this.clear("ping", "pong");
    this.line?.close();
    this.line = void 0;
  }
  schedulePing() {
    this.clear("ping");
    this.ping = this.world.later(PING_EACH, () => {
      this.check(PONG_WITHIN);
      this.schedulePing();
    });
  }
  // Is anybody there? A socket whose network is gone does not say so.
  check(within) {
    this.clear("pong");
    this.pong = this.world.later(within, () => {
      this.line?.close();
      this.ended();
    });
    this.send({ type: "ping", t: Math.round(this.world.now()) });
  }
  set(state) {
    this.state = state;
    if (state === "open" || state === "idle") {
      this.clear("notice");
      this.lost = false;
    } else if (!this.lost && this.notice === void 0) {
      this.notice = this.world.later(NOTICE_AFTER, () => {
        this.notice = void 0;
        this.lost = true;
        this.tell();
      });
    }
    this.tell();
  }
  tell() {
    for (const hear of [...this.changed]) hear();
  }
  clear(...timers) {
    for (const timer of timers) {
      if (this[timer] !== void 0) this.world.cancel(this[timer]);
      this[timer] = void 0;
    }
  }
};

// src/api.ts
var ApiError = class extends Error {
  /** `body`: the whole answer, for who knows what else is in it. */
  constructor(status, code, text, body = null) {
    super(text);
    this.status = status;
    this.code = code;
    this.body = body;
  }
  status;
  code;
  body;
};
function headers(type) {
  const made = { Accept: "application/json" };
  if (type) made["Content-Type"] = type;
  const secret = operatorSecret() || (kept("token") ?? "");
  if (secret) made["Authorization"] = `Bearer ${secret}`;
  return made;
}
async function taken(answer) {
  const text = await answer.text();
  let body;
  try {
    body = text === "" ? null : JSON.parse(text);
  } catch {
    throw new ApiError(answer.status, "not-json", `${answer.status}: ${text.slice(0, 200)}`);
  }
  if (answer.ok) return body;
  const error = body?.error;
  throw new ApiError(answer.status, error?.code ?? "http", error?.text ?? `${answer.status} ${answer.statusText}`, body);
}
async function ask(path, how) {
  try {
    return await fetch(path.startsWith("/") ? path : `/web/api/${path}`, { credentials: "same-origin", ...how });
  } catch {
    throw new ApiError(0, "network", "The server does not answer.");
  }
}
async function get(path) {
  return await taken(await ask(path, { headers: headers() }));
}
async function getWithHeaders(path) {
  const answer = await ask(path, { headers: headers() });
  return { body: await taken(answer), headers: answer.headers };
}
async function post(path, body) {
  const how = { method: "POST", headers: headers("application/json"), body: JSON.stringify(body) };
  return await taken(await ask(path, how));
}
async function postBytes(path, bytes) {
  const how = { method: "POST", headers: headers("application/octet-stream"), body: bytes };
  return await taken(await ask(path, how));
}
async function download(path, name) {
  const answer = await ask(path, { headers: headers() });
  if (!answer.ok) {
    await taken(answer);
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 6e4);
}

// src/feed_browser.ts
var browserWorld = {
  connect(events) {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/web/api/feed`);
    socket.onopen = () => events.open();
    socket.onmessage = (message) => events.message(String(message.data));
    socket.onclose = () => events.closed();
    return {
      send: (text) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(text);
      },
      // One that still connects would tell the console that it was closed.
      close: () => {
        if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
        else socket.close();
      }
    };
  },
  now: () => performance.now(),
  later: (ms, then) => setTimeout(then, ms),
  cancel: (timer) => clearTimeout(timer),
  random: () => Math.random()
};

// src/follow.ts
function isEvent(value) {
  const event = value;
  return typeof event === "object" && event !== null && Number.isInteger(event.n) && typeof event.kind === "string" && typeof event.a === "string";
}
function grow(doc, frame) {
  const events = Array.isArray(frame.events) ? frame.events : [];
  let grew = false;
  const next = { ...doc };
  for (const event of events) {
    if (!isEvent(event)) return "again";
    if (event.n < doc.events.length) continue;
    if (event.n > doc.events.length) return "again";
    doc.events.push(event);
    grew = true;
    if (event.kind === "end") {
      next.status = "finished";
      if (event.winner) next.winner = event.winner;
    }
    if (event.kind === "reveal" && event.seat && event.role) next.seats = withSeat(next.seats, { seat: event.seat, role: event.role });
  }
  for (const phase of Array.isArray(frame.phases) ? frame.phases : []) {
    const last = doc.phases[doc.phases.length - 1];
    if (!last || phase.first > last.first || phase.first === last.first && phase.action !== last.action) {
      doc.phases.push(phase);
      grew = true;
    }
  }
  for (const seat of Array.isArray(frame.seats) ? frame.seats : []) {
    next.seats = withSeat(next.seats, seat);
    grew = true;
  }
  if (typeof frame.status === "string") next.status = frame.status;
  return { doc: next, grew };
}
function withSeat(seats, changed) {
  return seats.map((seat) => seat.seat === changed.seat ? { ...seat, ...changed } : seat);
}
function clockOf(frame, now) {
  const leftMs = Number(frame.left_ms);
  if (!Number.isFinite(leftMs) || leftMs < 0) return void 0;
  return { action: typeof frame.action === "string" ? frame.action : "", leftMs, at: now, paused: frame.paused === true };
}
function clockLeft(clock2, now) {
  return clock2.paused ? clock2.leftMs : Math.max(0, clock2.leftMs - (now - clock2.at));
}

// src/live.ts
var feed = new Feed(browserWorld);
var feedLost = y3(false);
var feedOpen = y3(false);
feed.onState(() => r3(() => {
  feedLost.value = feed.lost;
  feedOpen.value = feed.state === "open";
}));
feed.login(operatorSecret() || void 0);
document.addEventListener("visibilitychange", () => feed.seen(document.visibilityState === "visible"));
addEventListener("online", () => feed.online());
var Watch = class {
  constructor(id, view, sink) {
    this.id = id;
    this.view = view;
    this.sink = sink;
    this.deaf = feed.onMessage((message) => this.hear(message));
    void this.load();
  }
  id;
  view;
  sink;
  clock = y3(null);
  /** Who is asked to speak; 0: nobody. */
  typing = y3(0);
  trouble = y3(null);
  /** Over: all views may be fetched. */
  over = y3(false);
  loading = false;
  again = false;
  stopped = false;
  shown = false;
  retry;
  deaf;
  stop() {
    this.stopped = true;
    this.deaf();
    clearTimeout(this.retry);
    feed.unwatch(this.id);
  }
  /** The document from the server, and the feed behind it. */
  async load() {
    if (this.loading) {
      this.again = true;
      return;
    }
    this.loading = true;
    try {
      const { body, headers: headers2 } = await getWithHeaders(`games/${encodeURIComponent(this.id)}/doc?view=${this.view}`);
      if (!this.stopped) this.loaded(readDoc(body), headers2.get("X-Warg-Feed"));
    } catch (error) {
      if (!this.stopped) this.failed(error);
    }
    this.loading = false;
    if (this.again && !this.stopped) {
      this.again = false;
      void this.load();
    }
  }
  loaded(doc, after) {
    this.shown = true;
    r3(() => {
      this.sink.show(doc);
      this.trouble.value = null;
      this.over.value = doc.status !== "running";
      if (this.over.value) this.clock.value = null;
    });
    if (doc.status === "running" && after) feed.watch(this.id, this.view, after);
    else feed.unwatch(this.id);
  }
  failed(error) {
    const trouble = error instanceof ApiError ? error : new ApiError(0, "document", error instanceof Error ? error.message : String(error));
    const passes = trouble.status === 0 || trouble.status === 429 || trouble.status >= 500;
    if (!this.shown || !passes) this.trouble.value = trouble;
    if (passes) this.retry = setTimeout(() => void this.load(), 3e3);
  }
  hear(message) {
    if (message.game !== this.id || message.view !== void 0 && message.view !== this.view) return;
    switch (message.type) {
      case "events":
        if (!this.shown || this.loading) return;
        if (!this.sink.grow(message)) {
          feed.unwatch(this.id);
          void this.load();
        }
        this.typing.value = 0;
        return;
      case "clock":
        this.clock.value = clockOf(message, performance.now()) ?? null;
        return;
      case "typing":
        this.typing.value = Number(message.seat) || 0;
        return;
      // Over for some time, or in another process: the document comes from the log, or not at all.
      case "gone":
      case "again":
        void this.load();
        return;
      case "reveal":
        r3(() => {
          this.clock.value = null;
          this.typing.value = 0;
          this.over.value = true;
        });
        return;
      default:
    }
  }
};
var LiveGame = class {
  doc = y3(null);
  watch;
  constructor(id, view) {
    this.watch = new Watch(id, view, {
      show: (doc) => {
        this.doc.value = doc;
      },
      grow: (frame) => {
        const before = this.doc.peek();
        const growth = before ? grow(before, frame) : "again";
        if (growth === "again") return false;
        if (growth.grew) this.doc.value = growth.doc;
        return true;
      }
    });
  }
  stop() {
    this.watch.stop();
  }
};

// src/load.ts
var asTrouble = (error) => error instanceof ApiError ? error : new ApiError(0, "page", error instanceof Error ? error.message : String(error));
function useLoaded(path) {
  const kept2 = T2(void 0);
  if (!kept2.current) {
    const made = {
      value: y3(null),
      trouble: y3(null),
      asked: "",
      serial: 0,
      again: () => {
        const serial = ++made.serial;
        get(made.asked).then(
          (value) => {
            if (serial !== made.serial) return;
            made.value.value = value;
            made.trouble.value = null;
          },
          (error) => {
            if (serial === made.serial) made.trouble.value = asTrouble(error);
          }
        );
      }
    };
    kept2.current = made;
  }
  const loaded = kept2.current;
  A2(() => {
    if (loaded.asked === path) return;
    loaded.asked = path;
    if (path) loaded.again();
  }, [path]);
  return loaded;
}
function useEach(ms, then) {
  const latest = T2(then);
  latest.current = then;
  A2(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") latest.current();
    }, ms);
    return () => clearInterval(timer);
  }, [ms]);
}

// src/times.ts
var formats = /* @__PURE__ */ new Map();
function format(key, options) {
  const name = `${lang.value} ${key}`;
  const made = formats.get(name) ?? new Intl.DateTimeFormat(lang.value === "ja" ? "ja-JP" : "en-GB", options);
  formats.set(name, made);
  return made;
}
var clock = { hour: "2-digit", minute: "2-digit" };
function shortTime(ms, at2 = Date.now()) {
  const when = new Date(ms);
  const now = new Date(at2);
  if (when.toDateString() === now.toDateString()) return format("time", clock).format(when);
  if (when.getFullYear() === now.getFullYear()) return format("day", { day: "numeric", month: "short", ...clock }).format(when);
  return format("year", { day: "numeric", month: "short", year: "numeric" }).format(when);
}
var fullTime = (ms) => format("full", { dateStyle: "full", timeStyle: "long" }).format(new Date(ms));
var secondTime = (ms) => format("second", { ...clock, second: "2-digit" }).format(new Date(ms));
function clockText(ms) {
  const all = Math.max(0, Math.ceil(ms / 1e3));
  const [h5, m5, s4] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (n3) => String(n3).padStart(2, "0");
  return h5 > 0 ? `${h5}:${two(m5)}:${two(s4)}` : `${m5}:${two(s4)}`;
}
function spanText(ms) {
  const [value, unit2] = ms < 9e4 ? [ms / 1e3, "second"] : ms < 54e5 ? [ms / 6e4, "minute"] : ms < 1296e5 ? [ms / 36e5, "hour"] : [ms / 864e5, "day"];
  return new Intl.NumberFormat(lang.value === "ja" ? "ja-JP" : "en", { style: "unit", unit: unit2, unitDisplay: "short", maximumFractionDigits: 0 }).format(value);
}

// src/words_game.ts
var gameWords = {
  missingTitle: ["Nothing is here", "ページがありません"],
  missingText: ["This address means nothing on this server.", "このサーバーにこのアドレスのページはありません。"],
  loading: ["Fetching the game …", "ゲームを読み込んでいます…"],
  cannotShow: ["This game can’t be shown", "このゲームは表示できません"],
  again: ["Try again", "もう一度"],
  emptyGame: ["Nothing has happened yet", "まだ何も起きていません"],
  role_VILLAGER: ["Villager", "村人"],
  role_SEER: ["Seer", "占い師"],
  role_MEDIUM: ["Medium", "霊媒師"],
  role_BODYGUARD: ["Bodyguard", "騎士"],
  role_POSSESSED: ["Possessed", "狂人"],
  role_WEREWOLF: ["Werewolf", "人狼"],
  role_FREEMASON: ["Freemason", "共有者"],
  role_FOX: ["Fox", "妖狐"],
  claimsRole: ["claims {role}", "{role}CO"],
  view: ["View", "視点"],
  viewPublic: ["Public", "公開情報"],
  viewAll: ["Everything", "すべて"],
  viewSeat: ["Seat {seat}", "{seat}番"],
  showRoles: ["Show roles", "役職を見る"],
  hideRoles: ["Hide roles", "役職を隠す"],
  rolesHidden: ["Roles are hidden", "役職は非表示"],
  live: ["Live", "進行中"],
  toLive: ["To the newest", "最新へ"],
  status_aborted: ["Broken off", "中断"],
  status_truncated: ["The log ends early", "ログが途中で終わっています"],
  rulesPlayers: ["{rules} · {n} players", "{rules}・{n}人"],
  docRound: ["Game", "ゲーム"],
  docNumber: ["{number} of {all}", "{number} / {all}"],
  tab_log: ["Log", "ログ"],
  tab_votes: ["Votes", "投票"],
  tab_claims: ["Claims", "CO・判定"],
  tab_stances: ["Stances", "立場"],
  tab_mind: ["Mind", "思考"],
  opinionTitle: ["Whom models would vote for", "モデルが投票するなら"],
  opinionNote: ["How sure each is of its target (0 to 100 %), line by line. A filled dot: a werewolf. No player knew of it.", "発言ごとの、投票したい相手とその確信度(0〜100 %)。塗りつぶした点は人狼。プレイヤーには知らされていません。"],
  opinionNone: ["No opinion yet.", "まだ意見はありません。"],
  opinionCount: ["{n} opinions", "意見 {n} 件"],
  opinionDay: ["day {day}", "{day}日目"],
  panels: ["What is shown beside the table", "表の横に表示するもの"],
  day: ["Day {day}", "{day}日目"],
  dayShort: ["D{day}", "{day}日"],
  night: ["Night", "夜"],
  dayNight: ["Night of day {day}", "{day}日目の夜"],
  alive: ["{n} alive", "{n}人生存"],
  nightAlive: ["Night · {n} alive", "夜・{n}人生存"],
  gameOver: ["The game is over", "ゲーム終了"],
  won_VILLAGER: ["The village wins", "村人陣営の勝ち"],
  won_WEREWOLF: ["The werewolves win", "人狼陣営の勝ち"],
  won_FOX: ["The fox wins", "妖狐の勝ち"],
  won_NONE: ["Nobody wins", "勝者なし"],
  saidNothing: ["said nothing", "発言なし"],
  isSilent: ["says nothing", "発言なし"],
  timedOut: ["had no answer", "応答なし"],
  whisperTitle: ["Whisper: only some hear it", "ささやき（一部のみ）"],
  onlyTo: ["Known to {seats} only", "{seats}番のみ知る"],
  saysWolf: ["werewolf", "人狼"],
  saysHuman: ["human", "人間"],
  saysGuarded: ["guarded", "護衛"],
  suspects: ["suspects", "疑い"],
  ballot: ["Vote", "投票"],
  ballotAgain: ["Vote {n}", "{n}回目の投票"],
  attackBallot: ["Vote on the attack", "襲撃投票"],
  votes: ["{n} vote|{n} votes", "{n}票"],
  noVotes: ["No votes", "投票なし"],
  executed: ["{who} is executed", "{who} が追放された"],
  died_attacked: ["{who} is found dead", "{who} が襲撃された"],
  died_cursed: ["{who} dies of the curse", "{who} が呪殺された"],
  died_left: ["{who} leaves the game", "{who} がゲームから離れた"],
  divines: ["{who} divines {target}: {result}", "{who} が {target} を占った：{result}"],
  identifies: ["{who} learns of {target}: {result}", "{who} の霊媒結果 {target}：{result}"],
  guards: ["{who} guards {target}", "{who} が {target} を護衛した"],
  guardsNobody: ["{who} guards nobody", "{who} は誰も護衛しなかった"],
  divinesNobody: ["{who} divines nobody", "{who} は誰も占わなかった"],
  attacks: ["The werewolves attack {target}", "人狼が {target} を襲撃した"],
  attackFails: ["The attack on {target} fails", "{target} への襲撃は失敗した"],
  attacksNobody: ["The werewolves attack nobody", "人狼は誰も襲撃しなかった"],
  resultHuman: ["human", "人間"],
  resultWolf: ["werewolf", "人狼"],
  resultNone: ["no result", "結果なし"],
  stands: ["{who} wants {target} to go", "{who} が {target} に投票中"],
  standsBack: ["{who} withdraws the vote", "{who} が投票を取り消した"],
  learnsRole: ["{who} is {role}", "{who} は{role}"],
  rolesWere: ["Who was what", "役職一覧"],
  scores: ["Points", "得点"],
  unknownKind: ["{n} line of a kind that this page does not know|{n} lines of a kind that this page does not know", "このページが知らない種類の行：{n}"],
  fault_timeout: ["no answer in time", "時間切れ"],
  fault_disconnect: ["connection lost", "切断"],
  fault_malformed: ["answer could not be read", "不正な形式の応答"],
  fault_early: ["answered before it was asked", "要求前の応答"],
  fault_violation: ["answer against the rules", "規則違反の応答"],
  fault_fallback: ["a substitute answered", "代理の応答"],
  fault_suppressed: ["not said", "発言の抑止"],
  fault_other: ["fault: {kind}", "異常：{kind}"],
  faultAt: ["when asked {at}", "{at}"],
  ask_TALK: ["to speak", "発言の要求"],
  ask_WHISPER: ["to whisper", "囁きの要求"],
  ask_VOTE: ["to vote", "投票の要求"],
  ask_DIVINE: ["whom to divine", "占い先の要求"],
  ask_GUARD: ["whom to guard", "護衛先の要求"],
  ask_ATTACK: ["whom to attack", "襲撃先の要求"],
  ask_NAME: ["for its name", "名前の要求"],
  ask_ROLE: ["which role it wishes", "希望役職の要求"],
  ask_INITIALIZE: ["to begin", "ゲーム開始"],
  ask_DAILY_INITIALIZE: ["to begin the day", "一日の開始"],
  ask_DAILY_FINISH: ["to end the day", "一日の終了"],
  ask_FINISH: ["to finish", "ゲーム終了"],
  afterTime: ["after {time}", "{time}後"],
  first: ["First event", "最初へ"],
  back: ["One event back", "1つ戻る"],
  play: ["Play", "再生"],
  pause: ["Pause", "一時停止"],
  forward: ["One event on", "1つ進む"],
  lastEvent: ["Last event", "最後へ"],
  speed: ["Speed", "速さ"],
  course: ["Course of the game", "ゲームの流れ"],
  wholeCourse: ["Show the whole course", "最後までの流れを表示"],
  position: ["{at} / {all}", "{at} / {all}"],
  copyLink: ["Copy a link to this moment", "この場面へのリンクをコピー"],
  copied: ["Link copied", "リンクをコピーしました"],
  notCopied: ["The browser doesn’t let the link be copied", "ブラウザーがコピーを許可していません"],
  downloadLog: ["Download the log", "ログをダウンロード"],
  saveDoc: ["Save this view as a file", "この視点をファイルに保存"],
  more: ["More", "その他"],
  earlier: ["Earlier", "以前の行"],
  newest: ["To this moment", "この場面へ"],
  table: ["The table", "村の様子"],
  sentence: ["{when}, {alive}.", "{when}、{alive}。"],
  speaks: ["{who} says: {text}", "{who}：{text}"],
  votesFor: ["{n} vote for {who}|{n} votes for {who}", "{who}に{n}票"],
  isDead: ["dead", "死亡"],
  isAlive: ["alive", "生存"],
  died: ["{cause} on day {day}", "{day}日目に{cause}"],
  cause_attacked: ["attacked", "襲撃死"],
  cause_executed: ["executed", "追放"],
  cause_cursed: ["cursed", "呪殺"],
  cause_left: ["left", "離脱"],
  seesAs: ["Look with the eyes of {who}", "{who}の視点で見る"],
  seesPublic: ["Back to what all know", "公開情報に戻る"],
  figTalks: ["Utterances", "発言"],
  figVotes: ["Votes against", "得票"],
  figClaim: ["Claims", "CO"],
  figRole: ["Role", "役職"],
  figAgent: ["Played by", "担当"],
  figEstimate: ["P(werewolf), estimated", "人狼の確率（推定）"],
  voteTable: ["Who voted for whom", "投票先"],
  voter: ["Voter", "投票者"],
  voteColumn: ["D{day}", "{day}日"],
  voteColumnAgain: ["D{day} · {n}", "{day}日・{n}"],
  attackColumn: ["N{day}", "{day}夜"],
  attackColumnAgain: ["N{day} · {n}", "{day}夜・{n}"],
  noBallots: ["No ballot up to here", "ここまで投票はありません"],
  claimTable: ["Who claims what of whom", "COと判定"],
  claimJudge: ["claims", "CO"],
  noClaims: ["No claim up to here", "ここまでCOや判定はありません"],
  noClaimsFree: ["In natural language the page guesses at nobody’s sentences: claims are in the log.", "自然言語の発言からは推測しません。COはログをご覧ください。"],
  disputed: ["Contradiction", "矛盾"],
  disputedNote: ["≠ marks what can’t be true together", "≠ は両立しない判定"],
  estimateTitle: ["Estimate", "推定"],
  estimateNote: ["Not a fact. {text}", "事実ではなく推定です：{text}"],
  stanceTable: ["What each last said or did about each", "互いについての最後の言動"],
  stanceFrom: ["Who", "誰が"],
  noStances: ["Nobody has said or done anything about anybody up to here", "ここまで互いへの言動はありません"],
  st_voted: ["voted for", "投票した"],
  st_wants: ["wants to vote for", "投票したい"],
  st_suspects: ["suspects", "疑っている"],
  st_wolf: ["says werewolf", "人狼と判定"],
  st_human: ["says human", "人間と判定"],
  st_agrees: ["agrees with", "賛成"],
  st_disagrees: ["disagrees with", "反対"],
  st_guards: ["says guarded", "護衛した"],
  noMind: ["No thoughts are recorded for this game", "このゲームの思考は記録されていません"],
  originalOn: ["Sentences as they were said", "発言を原文で表示"],
  plainOn: ["Sentences in plain words", "発言を平易な言葉で表示"],
  find: ["Find in the game", "ゲーム内を検索"],
  findNone: ["Not found", "見つかりません"],
  findCount: ["{at} of {n}", "{at} / {n}"],
  findNext: ["Next", "次"],
  findBefore: ["Before", "前"],
  keys: ["Keys", "キー操作"],
  keysTitle: ["Keys of this page", "このページのキー操作"],
  keysSwitch: ["Use these keys", "キー操作を使う"],
  key_arrows: ["one event back, on", "1つ戻る・進む"],
  key_shift: ["utterance of the same seat before, after", "同じ席の前・次の発言"],
  key_days: ["day before, after", "前の日・次の日"],
  key_ends: ["first, last event", "最初・最後"],
  key_space: ["play, pause", "再生・一時停止"],
  key_speed: ["slower, faster", "遅く・速く"],
  key_views: ["view of that seat", "その席の視点"],
  key_public: ["public view", "公開情報"],
  key_all: ["everything, if it may be seen", "すべて（許されていれば）"],
  key_tabs: ["log, votes, claims, stances, mind", "ログ・投票・CO・立場・思考"],
  key_original: ["sentences as said, or in plain words", "原文・平易な言葉"],
  key_find: ["find in the game", "ゲーム内を検索"],
  key_link: ["copy a link to this moment", "この場面へのリンクをコピー"],
  key_table: ["to the table", "村の様子へ"],
  key_list: ["this list", "この一覧"],
  aloudTitle: ["Read aloud", "読み上げ"],
  aloud_all: ["all", "すべて"],
  aloud_deeds: ["votes and deaths", "投票と死亡"],
  aloud_nothing: ["nothing", "なし"]
};

// src/words_pages.ts
var pageWords = {
  // every page
  connectionLost: ["The connection is lost. Trying to come back…", "接続が切れました。再接続しています…"],
  trouble403: ["This is not open to you while the game runs.", "ゲームが終わるまで公開されません。"],
  trouble404: ["There is no such thing on this server (any more).", "このサーバーには（もう）ありません。"],
  navOpen: ["Open a file", "ファイルを開く"],
  navSearch: ["Search", "検索"],
  navOperator: ["Operator", "運営"],
  dropHere: ["Drop it: logs, game documents, exports", "ここにドロップ：ログ・ゲーム文書・書き出したファイル"],
  moreThings: ["More", "その他"],
  // home
  homeLive: ["Live", "進行中"],
  homeRooms: ["Rooms", "部屋"],
  homeContests: ["Contests", "大会"],
  homeGames: ["Latest games", "最近のゲーム"],
  homeSessions: ["Sessions", "セッション"],
  gameVoid: ["counts no more", "無効"],
  homeMoreGames: ["More games", "もっと見る"],
  homeNothing: ["Nothing is here yet", "まだ何もありません"],
  homeNothingText: ["Tables that are played, contests and games appear here by themselves.", "対局中の卓、大会、ゲームはここに自動で現れます。"],
  homeOpenTitle: ["Have a log?", "ログをお持ちですか？"],
  homeOpenText: ["Drop it anywhere on any page, or choose it.", "どのページにもドロップできます。ファイルを選ぶこともできます。"],
  showResults: ["Show results", "結果を表示"],
  dayN: ["Day {n}", "{n}日目"],
  nightN: ["Night {n}", "{n}日目の夜"],
  aliveOf: ["{alive} of {n} alive", "{n}人中{alive}人生存"],
  playersN: ["{n} player|{n} players", "{n}人"],
  gamesN: ["{n} game|{n} games", "{n}ゲーム"],
  gameN: ["game {n}", "ゲーム{n}"],
  stageN: ["stage {n}", "ステージ{n}"],
  gamesOf: ["{n} of {all} games", "{all}ゲーム中{n}"],
  endsIn: ["about {time} left", "残り約{time}"],
  statusRunning: ["live", "進行中"],
  statusAborted: ["aborted", "中止"],
  statusTruncated: ["cut off", "途中まで"],
  winnerVILLAGER: ["Villagers won", "村人陣営の勝ち"],
  winnerWEREWOLF: ["Werewolves won", "人狼陣営の勝ち"],
  winnerFOX: ["The fox won", "妖狐の勝ち"],
  winnerNONE: ["Nobody won", "勝者なし"],
  divisionprotocol: ["Protocol", "プロトコル"],
  divisionnlp: ["Natural language", "自然言語"],
  divisionmaw: ["MAW", "MAW"],
  tableImage: ["Table {name}: {moment}, {alive} of {n} alive", "卓 {name}：{moment}、{n}人中{alive}人生存"],
  wallLink: ["On one screen", "一画面で見る"],
  roundN: ["Round {n}", "第{n}ラウンド"],
  // open
  openTitle: ["Open a game", "ゲームを開く"],
  openDrop: ["Drop files here", "ここにファイルをドロップ"],
  openChoose: ["Choose files", "ファイルを選ぶ"],
  openPaste: ["or paste a log", "またはログを貼り付け"],
  openPasteButton: ["Open what is pasted", "貼り付けたものを開く"],
  openKinds: [
    "AIWolf logs from 2016 to now, logs and JSON of the natural-language division, the old viewer’s .jsonl, session.jsonl of MAW; each also gzipped. Game documents and exported pages are read without a server.",
    "2016年以降のAIWolfログ、自然言語部門のログとJSON、旧ビューアの.jsonl、MAWのsession.jsonl（gzipも可）。ゲーム文書と書き出したページはサーバーなしで読めます。"
  ],
  openReading: ["Reading {name}…", "{name} を読んでいます…"],
  openList: ["Opened", "開いたもの"],
  openShow: ["Show", "表示"],
  openShowAll: ["Show all, one after the other", "すべて順に表示"],
  openTooBig: ["{name}: larger than 16 MiB", "{name}：16 MiBを超えています"],
  openEmpty: ["{name}: the file is empty", "{name}：空のファイルです"],
  openRemove: ["Remove {name}", "{name} を外す"],
  openRounds: ["{n} round|{n} rounds", "{n}ラウンド"],
  openPasted: ["pasted", "貼り付け"],
  openNotHere: ["This server reads logs for its operator only. Game documents and exported pages open here.", "このサーバーがログを読むのは運営者のためだけです。ゲーム文書と書き出したページは開けます。"],
  // search
  searchTitle: ["Search", "検索"],
  searchLabel: ["Words that were said, or names", "発言や名前"],
  searchButton: ["Search", "検索"],
  searchNothing: ["Nothing was found for “{q}”.", "「{q}」は見つかりませんでした。"],
  searchShort: ["Type at least two letters.", "2文字以上入力してください。"],
  searchBuilding: ["The index is still being made; there may be more.", "索引を作成中です。まだ増える可能性があります。"],
  searchHits: ["{n} place|{n} places", "{n}件"],
  searchHitsMore: ["more than {n} places", "{n}件以上"],
  searchMore: ["More", "続き"],
  filterDay: ["Day", "日"],
  filterRole: ["Role of the speaker", "話者の役職"],
  filterTeam: ["Team", "チーム"],
  filterContest: ["Contest", "大会"],
  filterAny: ["any", "すべて"],
  // session
  sessionRounds: ["Rounds", "ラウンド"],
  sessionPoints: ["Points", "得点"],
  sessionPlayer: ["Player", "プレイヤー"],
  sessionTotal: ["Total", "合計"],
  sessionWatch: ["Watch", "見る"],
  // room
  roomState_open: ["open", "募集中"],
  roomState_ready: ["begins soon", "まもなく開始"],
  roomState_playing: ["playing", "対局中"],
  roomState_over: ["over", "終了"],
  roomHeld: ["held", "一時停止"],
  roomPeople: ["{taken} of {n} seats taken", "{n}席中{taken}席"],
  roomName: ["Your name at the table", "席での名前"],
  roomNameHint: ["or stay a guest with a number", "空欄なら番号の客になります"],
  roomJoin: ["Take a seat", "席に着く"],
  roomQueueUp: ["Wait for a seat", "席を待つ"],
  roomWatch: ["Watch", "観戦する"],
  roomLeave: ["Leave", "退席"],
  roomToSeat: ["To my seat", "自分の席へ"],
  roomYouSit: ["You have a seat, {name}.", "{name}さんの席があります。"],
  roomYouWait: ["You are number {n} in the queue, {name}.", "{name}さんは待ち列の{n}番目です。"],
  roomFull: ["All seats are taken. Whoever waits gets the next free one.", "満席です。待てば次に空いた席に座れます。"],
  roomStart_full: ["Begins when all seats are taken.", "全席埋まると始まります。"],
  roomStart_after: ["Begins in {time}.", "{time}後に始まります。"],
  roomStart_hand: ["Begins when the host says so.", "主催者の合図で始まります。"],
  roomBegan: ["The game has begun.", "ゲームが始まりました。"],
  roomGuests: ["At the table", "席についている人"],
  roomFree: ["free seat", "空席"],
  roomFill_bot: ["{n} more played by a program|{n} more played by programs", "残り{n}席はプログラム"],
  roomFill_model: ["{n} more played by a language model|{n} more played by language models", "残り{n}席は言語モデル"],
  roomOpensIn: ["The room opens again in {time}.", "{time}後にまた開きます。"],
  roomNextSame: ["The next game is played by the same link.", "次のゲームも同じリンクです。"],
  roomQueueN: ["{n} waiting|{n} waiting", "待ち{n}人"],
  roomAway: ["away", "離席中"],
  roomYou: ["you", "あなた"],
  roomScan: ["Scan to take a seat", "読み取って席に着く"],
  roomQrLabel: ["QR code of {url}", "{url} のQRコード"],
  roomCopy: ["Copy the link", "リンクをコピー"],
  roomCopied: ["Link copied", "コピーしました"],
  roomWatchers: ["{n} watching|{n} watching", "観戦{n}人"],
  roomPlayLang: ["Played in {lang}", "{lang}で対局"],
  langen: ["English", "英語"],
  langja: ["Japanese", "日本語"],
  langaiwolf: ["protocol sentences", "プロトコル文"],
  roomDelay: ["Watchers see it {time} later.", "観戦は{time}遅れです。"],
  roomNamesHidden: ["Nobody is told who is a program.", "誰がプログラムかは明かされません。"],
  // operator
  operatorTitle: ["Operator", "運営"],
  operatorLocked: ["This page is for operators", "運営者専用です"],
  operatorLockedText: ["Open the operator’s link that the server printed when it started; with --operator-file it is /web/login#k= and the first line of that file. The key is kept in this tab only.", "サーバー起動時に表示された運営者用リンクを開いてください。--operator-file を使うときは /web/login#k= の後にそのファイルの1行目を付けます。鍵はこのタブにだけ残ります。"],
  operatorNew: ["New room", "新しい部屋"],
  operatorMake: ["Make the room", "部屋を作る"],
  operatorRooms: ["Rooms", "部屋"],
  operatorNoRooms: ["No room yet.", "まだ部屋がありません。"],
  operatorTables: ["Live tables", "進行中の卓"],
  operatorNoTables: ["No table is played.", "進行中の卓はありません。"],
  operatorLogout: ["Log out", "ログアウト"],
  operatorName: ["Name", "名前"],
  operatorDivision: ["Division", "部門"],
  operatorRules: ["Rules", "ルール"],
  operatorPlayers: ["Players", "人数"],
  operatorPeople: ["Seats for people", "人の席"],
  operatorFill: ["Others", "その他の席"],
  operatorFillUsual: ["bots, as usual", "いつものボット"],
  operatorStart: ["Start", "開始"],
  operatorStart_full: ["when full", "満席で"],
  operatorStart_after: ["after a time", "時間で"],
  operatorStart_hand: ["by hand", "手動で"],
  operatorStartS: ["Seconds until the start", "開始までの秒数"],
  operatorLang: ["Language", "言語"],
  operatorDelay: ["Delay for watchers, seconds", "観戦の遅れ（秒）"],
  operatorListed: ["Shown on the start page", "最初のページに載せる"],
  operatorKept: ["Kept when empty", "空でも残す"],
  operatorNamesHidden: ["Hide who is a program", "プログラムかどうかを隠す"],
  actStart: ["Start", "開始"],
  actHold: ["Hold", "一時停止"],
  actGoOn: ["Go on", "再開"],
  actNext: ["Next game", "次のゲーム"],
  actClose: ["Close", "閉じる"],
  actKick: ["Remove {name}", "{name} を外す"],
  actSure: ["Press again to do it", "もう一度押すと実行"],
  actDone: ["Done", "完了"],
  actEnd: ["End", "終了させる"],
  actOpenRoom: ["Open", "開く"],
  actMind: ["Monitor", "モニター"],
  serverTitle: ["This server", "このサーバー"],
  serverHeld: ["Held: no further game begins.", "停止中：新しいゲームは始まりません。"],
  serverRuns: ["Games begin as they come.", "ゲームは順に始まります。"],
  serverHold: ["Hold: begin no further game", "停止：新しいゲームを始めない"],
  serverGoOn: ["Go on", "再開"],
  serverOut: ["Left out", "除外中"],
  serverLetIn: ["Let {name} in again", "{name} を戻す"],
  serverAct: ["Act", "操作"],
  act_leaveout: ["Leave a team out", "チームを除外"],
  act_disconnect: ["Disconnect an agent", "エージェントを切断"],
  act_void: ["Void a game and play it again", "ゲームを無効にして再戦"],
  act_end: ["End a stuck game", "止まったゲームを終了"],
  serverWhom: ["Team, agent, or the game’s ID", "チーム・エージェント・ゲームID"],
  serverWhy: ["Why (kept in the journal)", "理由（記録されます）"],
  serverAsk: ["Ask the server", "サーバーに尋ねる"],
  serverDo: ["Do it", "実行する"],
  serverCancel: ["Leave it", "やめる"],
  serverDone: ["What was done", "実行済みの操作"],
  serverLogsDay: ["Logs of a day", "日のログ"],
  serverLogsTeam: ["Logs of a team", "チームのログ"],
  serverDownload: ["Download", "ダウンロード"],
  loginTitle: ["Operator’s link", "運営者用リンク"],
  loginGood: ["You are the operator in this tab.", "このタブは運営者です。"],
  loginBad: ["This link holds no valid key.", "このリンクの鍵は無効です。"],
  loginWait: ["Checking the key…", "鍵を確認しています…"],
  // wall
  wallTitle: ["Live tables", "進行中の卓"],
  wallNothing: ["No table is played right now", "現在進行中の卓はありません"],
  wallNothingText: ["Tables appear here by themselves as soon as they begin.", "始まると自動でここに現れます。"],
  wallFree: ["free", "空き"],
  wallOver: ["The game is over", "終了"],
  // mind
  mindTitle: ["Monitor", "モニター"],
  mindLiveTitle: ["MONITOR · operators only", "モニター・運営者専用"],
  mindLiveText: ["This game is being played. Nothing of this window is for players.", "対局中です。この画面の内容をプレイヤーに見せないでください。"],
  mindSeat: ["Seat", "席"],
  mindModel: ["Model", "モデル"],
  mindDecisions: ["Decisions", "判断"],
  mindTokens: ["Tokens in / out", "トークン 入/出"],
  mindCost: ["Cost", "費用"],
  mindLatency: ["Time p50 / p95", "時間 p50 / p95"],
  mindLeaks: ["Held back", "差し止め"],
  mindRefusals: ["Refused", "拒否"],
  mindUnfold: ["Unfold all", "すべて開く"],
  mindThought: ["Thought", "思考"],
  mindSaid: ["Said", "発言"],
  mindFirst: ["First reply, and what was wrong with it", "最初の応答と、その誤り"],
  mindReasoning: ["Reasoning", "推論"],
  mindHeldBack: ["Held back", "差し止められた発言"],
  mindLeak: ["it gave itself away", "正体や指示を漏らす発言"],
  mindRepeat: ["said before", "同じ発言の繰り返し"],
  mindRaw: ["Reply as it came", "元の応答"],
  mindPrompt: ["Prompt {n}", "プロンプト {n}"],
  mindWhy: ["Why", "理由"],
  mindNothing: ["No decision yet.", "まだ判断はありません。"],
  mindAll: ["all seats", "全席"],
  mindToMoment: ["its moment", "その場面"],
  source_model: ["model", "モデル"],
  source_repaired: ["repaired", "修復"],
  source_rule: ["rule", "規則"],
  mindListened: ["listened", "様子を見た"],
  source_demo: ["demo", "デモ"],
  // seat
  seatNone: ["You have no seat in this browser", "このブラウザには席がありません"],
  seatNoneText: ["Open a room’s link, or scan its code, and take a seat there.", "部屋のリンクを開くかコードを読み取って、席に着いてください。"],
  seatWaiting: ["The game has not begun. This page turns to the table by itself.", "ゲームはまだ始まっていません。始まると自動で卓に移ります。"],
  phase_dawn: ["morning", "朝"],
  phase_talk: ["talk", "議論"],
  phase_whisper: ["whispers", "囁き"],
  phase_vote: ["vote", "投票"],
  phase_divine: ["night", "夜"],
  phase_guard: ["night", "夜"],
  phase_attack: ["night", "夜"],
  phase_night: ["night", "夜"],
  phase_room: ["talk", "会話"],
  phase_end: ["the end", "終了"],
  yourTurn: ["Your turn to speak", "あなたの番です"],
  yourWhisper: ["Whisper to your pack", "仲間に囁く"],
  speakAnytime: ["Speak when you like", "いつでも発言できます"],
  waiting: ["Listening…", "聞いています…"],
  waitingFor: ["{name} is asked to speak", "{name}の番です"],
  nightWait: ["Night. Wait for the morning.", "夜です。朝を待ちましょう。"],
  youAreDead: ["You are dead and go on watching.", "あなたは死亡しました。観戦を続けます。"],
  youAreOver: ["You said Over for today.", "今日の発言は終わりました。"],
  writeHere: ["Write here", "ここに書く"],
  writeWhisper: ["Write a whisper", "囁きを書く"],
  writeAhead: ["Write ahead", "先に書いておけます"],
  send: ["Send", "送信"],
  sendAhead: ["Send on my turn", "自分の番に送る"],
  aheadHint: ["Enter: send it on your turn.", "Enterで、あなたの番に送ります。"],
  aheadMarked: ["Will be sent on your turn.", "あなたの番に送られます。"],
  aheadBack: ["Don’t send", "送らない"],
  draftWaits: ["Not sent yet: Enter sends it.", "まだ送られていません。Enterで送ります。"],
  skip: ["Skip", "スキップ"],
  over: ["Over", "発言終了"],
  skipHint: ["say nothing this time", "今回は発言しない"],
  overHint: ["say nothing more today", "今日はもう発言しない"],
  skipsLeft: ["{n} left", "残り{n}回"],
  turnsLeft: ["{n} turn left|{n} turns left", "残り{n}回"],
  lengthLeft: ["{n} character left|{n} characters left", "残り{n}文字"],
  lengthLeftWords: ["{n} word left|{n} words left", "残り{n}語"],
  lengthOver: ["{n} too many: the end will be cut", "{n}超過：末尾が切られます"],
  willBeCut: ["Will be cut: {text}", "切られる部分：{text}"],
  wasCut: ["It was recorded shorter. Cut off: {text}", "短く記録されました。切られた部分：{text}"],
  tooLate: ["Too late: it was not said. Your words are kept below.", "間に合いませんでした。発言されていません。文章は下に残してあります。"],
  refused: ["Not taken: {why}", "受け付けられませんでした：{why}"],
  sending: ["Sending…", "送信中…"],
  ask_vote: ["Whom do you vote for?", "誰に投票しますか？"],
  ask_revote: ["A tie: vote once more", "同票です。もう一度投票してください"],
  ask_divine: ["Whom do you divine?", "誰を占いますか？"],
  ask_guard: ["Whom do you guard?", "誰を護衛しますか？"],
  ask_attack: ["Whom does the pack attack?", "誰を襲撃しますか？"],
  ask_role_wish: ["Which role do you wish for?", "どの役職を希望しますか？"],
  ask_query_role: ["Whose role do you ask for?", "誰の役職を尋ねますか？"],
  ask_whisper_to: ["Whisper to one player", "一人に囁く"],
  do_vote: ["Vote for {name}", "{name}に投票"],
  do_divine: ["Divine {name}", "{name}を占う"],
  do_guard: ["Guard {name}", "{name}を護衛"],
  do_attack: ["Attack {name}", "{name}を襲撃"],
  do_query_role: ["Ask about {name}", "{name}について尋ねる"],
  do_whisper_to: ["Whisper to {name}", "{name}に囁く"],
  do_role_wish: ["Wish: {name}", "希望：{name}"],
  chooseFirst: ["Choose somebody", "選んでください"],
  withdraw: ["Withdraw", "取り消す"],
  nobody: ["nobody", "誰も選ばない"],
  voteStands: ["Your choice: {name}. You may change it.", "選択：{name}（変更できます）"],
  targetKeys: ["Keys: number, then Enter", "キー：番号、Enterで決定"],
  roleHold: ["Hold to see your role and what you know", "押している間、役職と情報を表示"],
  roleCard: ["My role", "自分の役職"],
  roleUnknown: ["Not dealt yet", "未配布"],
  roleMates: ["With you", "仲間"],
  roleResults: ["What you learnt", "分かったこと"],
  roleNothing: ["Nothing yet", "まだありません"],
  resultDivine: ["{day}: {name} is {what}", "{day}：{name}は{what}"],
  resultGuard: ["{day}: guarded {name}", "{day}：{name}を護衛"],
  speciesHUMAN: ["human", "人間"],
  speciesWEREWOLF: ["a werewolf", "人狼"],
  sideVILLAGER: ["You win with the village.", "村人陣営で勝利します。"],
  sideWEREWOLF: ["You win with the werewolves.", "人狼陣営で勝利します。"],
  sideOTHERS: ["You win alone.", "単独で勝利します。"],
  secondsLeft: ["{n} second left|{n} seconds left", "残り{n}秒"],
  timeLeft: ["Time left", "残り時間"],
  thereTitle: ["Are you there?", "いらっしゃいますか？"],
  thereText: ["Nothing came from you twice. A program plays for you until you are back.", "2回続けて応答がありませんでした。戻るまでプログラムが代わりに打ちます。"],
  thereYes: ["I am here", "います"],
  endTitle: ["The game is over", "ゲーム終了"],
  endWon: ["You have won", "あなたの勝ちです"],
  endLost: ["You have lost", "あなたの負けです"],
  endAsked: ["Take a seat for the next game in the room.", "次のゲームの席は部屋で取れます。"],
  endRoles: ["Who was what", "役職一覧"],
  endAgain: ["Play again", "もう一度遊ぶ"],
  endReplay: ["See the whole game", "ゲームを最初から見る"],
  showTable: ["Table", "卓"],
  showLog: ["Log", "ログ"],
  newLines: ["New lines", "新しい発言"],
  seatYou: ["you", "あなた"],
  mention: ["Mention {name}", "{name} に言及"],
  talkAbout: ["Talk about {name}", "{name} について"],
  lineSaidNothing: ["said nothing", "発言なし"],
  lineOver: ["had nothing more to say", "発言終了"],
  lineExecuted: ["was executed", "が処刑された"],
  lineDied: ["was found dead", "が無残な姿で見つかった"],
  lineLeft: ["left", "が去った"],
  lineNoDeath: ["Nobody died in the night.", "昨夜は誰も死ななかった。"],
  lineVote: ["Vote", "投票"],
  lineAttackVote: ["Attack vote", "襲撃投票"],
  lineDivined: ["divined", "の占い結果"],
  lineIdentified: ["identified", "の霊媒結果"],
  lineGuarded: ["guards", "の護衛先"],
  lineIs: ["is {what}", "は{what}"],
  lineTimeout: ["did not answer in time", "は時間内に応答なし"],
  lineUnknown: ["{n} line of a kind that this page does not know|{n} lines of kinds that this page does not know", "このページが知らない種類の行：{n}"],
  // the sentence builder
  builder: ["Build a sentence", "文を組み立てる"],
  builderQuick: ["Often said", "よく使う文"],
  builderAbout: ["About", "対象"],
  builderPick: ["A face or number gives more sentences.", "顔か番号を押すと、文が増えます。"],
  builderBack: ["Back", "戻る"],
  builderFrame_plain: ["I say", "発言"],
  builderFrame_request: ["I ask for", "要求"],
  builderFrame_inquire: ["I ask whether", "質問"],
  builderFrame_because: ["Because", "理由つき"],
  builderFrame_not: ["Not", "否定"],
  builderStep_whom: ["Whom do you ask?", "誰に？"],
  builderStep_verb: ["What?", "何を？"],
  builderStep_target: ["Whom?", "誰を？"],
  builderStep_word: ["As what?", "何として？"],
  builderStep_ref: ["Which utterance?", "どの発言？"],
  builderReason: ["The reason:", "理由："],
  builderAny: ["anybody", "誰でも"],
  builderDone: ["The sentence is complete.", "文が完成しました。"],
  builderNoRef: ["Nothing was said yet.", "まだ発言がありません。"],
  verb_COMINGOUT: ["comes out as", "CO"],
  verb_ESTIMATE: ["I think is", "推定"],
  verb_DIVINED: ["divined", "占い結果"],
  verb_IDENTIFIED: ["identified", "霊媒結果"],
  verb_GUARDED: ["guarded", "護衛した"],
  verb_VOTED: ["voted", "投票した"],
  verb_ATTACKED: ["attacked", "襲撃した"],
  verb_VOTE: ["vote", "投票する"],
  verb_DIVINATION: ["divine", "占う"],
  verb_GUARD: ["guard", "護衛する"],
  verb_ATTACK: ["attack", "襲撃する"],
  verb_AGREE: ["agree", "同意"],
  verb_DISAGREE: ["disagree", "不同意"],
  a_VILLAGER: ["a villager", "村人"],
  a_SEER: ["the seer", "占い師"],
  a_MEDIUM: ["the medium", "霊媒師"],
  a_BODYGUARD: ["the bodyguard", "騎士"],
  a_WEREWOLF: ["a werewolf", "人狼"],
  a_POSSESSED: ["possessed", "狂人"],
  a_FREEMASON: ["a freemason", "共有者"],
  a_FOX: ["the fox", "妖狐"],
  a_HUMAN: ["human", "人間"],
  sayIAm: ["I am {word}", "私は{word}"],
  sayIs: ["I think {n} is {word}", "{n}は{word}だと思う"],
  sayVote: ["I vote {n}", "{n}に投票する"],
  sayAllVote: ["Everybody vote {n}", "皆{n}に投票を"],
  sayDivined: ["I divined {n}: {word}", "占い：{n}は{word}"],
  sayIdentified: ["I identified {n}: {word}", "霊媒：{n}は{word}"],
  sayGuarded: ["I guarded {n}", "{n}を護衛した"],
  sayDivineThem: ["Seer, divine {n}", "{n}を占ってほしい"],
  sayGuardThem: ["Bodyguard, guard {n}", "{n}を護衛してほしい"],
  sayWhoAreYou: ["{n}, what are you?", "{n}の役職は？"],
  sayWhoIsSeer: ["Who is the seer?", "占い師は誰？"],
  sayAttack: ["I attack {n}", "{n}を襲撃する"],
  sayAllAttack: ["Let us attack {n}", "{n}を襲撃しよう"],
  sayNotWolf: ["{n} is no werewolf", "{n}は人狼ではない"],
  sayWhyVote: ["{n} is a wolf, so I vote {n}", "{n}は人狼だから投票する"],
  sentenceGood: ["Valid: {plain}", "有効：{plain}"],
  sentenceBad: ["Not a sentence: {why}", "文になっていません：{why}"]
};

// src/words.ts
var table = { ...sharedWords, ...gameWords, ...pageWords };
var { t: t5, tn } = wording(table);

// src/parts/Lists.tsx
var gamePath = (id) => `${base}g/${encodeURIComponent(id)}`;
var roomPath = (code) => `${base}r/${encodeURIComponent(code)}`;
var known = ["protocol", "nlp", "maw"];
var divisionWord = (division) => known.includes(division) ? t5(`division${division}`) : division;
var When = ({ ms }) => ms === void 0 ? null : /* @__PURE__ */ a4("time", { dateTime: new Date(ms).toISOString(), title: fullTime(ms), children: shortTime(ms) });
var RoomLine = ({ room }) => /* @__PURE__ */ a4("li", { class: "item", children: [
  /* @__PURE__ */ a4("a", { class: "item-main", href: roomPath(room.code), children: [
    /* @__PURE__ */ a4("bdi", { class: "item-name", children: shown(room.title || room.code) }),
    /* @__PURE__ */ a4("span", { class: "note", children: [
      divisionWord(room.division),
      " · ",
      t5("playersN", { n: room.players }),
      " · ",
      t5("roomPeople", { taken: room.seated ?? 0, n: room.people })
    ] })
  ] }),
  /* @__PURE__ */ a4("span", { class: `pill state-${room.state}`, children: t5(`roomState_${room.state}`) })
] });
function ContestLine({ contest }) {
  const { played, planned, eta_ms: eta } = contest;
  const goes = planned !== void 0 && planned > 0 && contest.complete !== true;
  const running = contest.complete === false && eta !== void 0;
  return /* @__PURE__ */ a4("li", { class: "item", children: [
    /* @__PURE__ */ a4("a", { class: "item-main", href: `${base}c/${encodeURIComponent(contest.id)}`, children: [
      /* @__PURE__ */ a4("bdi", { class: "item-name", children: shown(contest.name || contest.id) }),
      /* @__PURE__ */ a4("span", { class: "note", children: [
        goes ? t5("gamesOf", { n: played, all: planned }) : t5("gamesN", { n: played }),
        running && /* @__PURE__ */ a4($, { children: [
          " · ",
          t5("endsIn", { time: spanText(eta) })
        ] })
      ] }),
      goes && /* @__PURE__ */ a4("progress", { class: "progress", max: planned, value: Math.min(played, planned), "aria-label": t5("gamesOf", { n: played, all: planned }) })
    ] }),
    contest.trouble && /* @__PURE__ */ a4("span", { class: "bad-text", children: shown(contest.trouble) }),
    running && /* @__PURE__ */ a4("span", { class: "pill live", children: t5("statusRunning") })
  ] });
}
var SessionLine = ({ session }) => /* @__PURE__ */ a4("li", { class: "item", children: [
  /* @__PURE__ */ a4("a", { class: "item-main", href: `${base}s/${encodeURIComponent(session.id)}`, children: [
    /* @__PURE__ */ a4("bdi", { class: "item-name", children: shown(session.name || session.id) }),
    /* @__PURE__ */ a4("span", { class: "note", children: t5("openRounds", { n: session.rounds }) })
  ] }),
  /* @__PURE__ */ a4("span", { class: "note item-when", children: /* @__PURE__ */ a4(When, { ms: session.at_ms }) })
] });
var statusWord = (status) => status === "running" ? t5("statusRunning") : status === "aborted" ? t5("statusAborted") : status === "truncated" ? t5("statusTruncated") : null;
function gameTitle(game, contestName) {
  const { contest, stage, game: number } = game;
  if (contest === void 0 || number === void 0) return shown(game.name || game.id);
  return [shown(contestName || contest), ...stage ? [t5("stageN", { n: String(stage) })] : [], t5("gameN", { n: String(number) })].join(" · ");
}
function GameLine({ game, contestName }) {
  const status = statusWord(game.status);
  return /* @__PURE__ */ a4("li", { class: "item", children: [
    /* @__PURE__ */ a4("a", { class: "item-main", href: gamePath(game.id), children: [
      /* @__PURE__ */ a4("bdi", { class: "item-name", children: gameTitle(game, contestName) }),
      /* @__PURE__ */ a4("span", { class: "note", children: [
        shown(game.rules),
        " · ",
        t5("playersN", { n: game.players }),
        game.round !== void 0 && /* @__PURE__ */ a4($, { children: [
          " · ",
          t5("roundN", { n: game.round })
        ] }),
        game.contest !== void 0 && game.game === void 0 && /* @__PURE__ */ a4($, { children: [
          " · ",
          /* @__PURE__ */ a4("bdi", { children: shown(game.contest) })
        ] })
      ] })
    ] }),
    game.winner && /* @__PURE__ */ a4("span", { class: `pill won-${game.winner}`, children: [
      t5(`winner${game.winner}`),
      game.days !== void 0 && ` · ${t5("dayN", { n: game.days })}`
    ] }),
    game.void && /* @__PURE__ */ a4("span", { class: "pill warn", children: t5("gameVoid") }),
    status && /* @__PURE__ */ a4("span", { class: game.status === "running" ? "pill live" : "pill", children: status }),
    /* @__PURE__ */ a4("span", { class: "note item-when", children: /* @__PURE__ */ a4(When, { ms: game.began_ms || game.at_ms }) })
  ] });
}

// src/parts/around.ts
var power = 2 / 2.6;
function at(angle, rx, ry) {
  const c4 = Math.cos(angle);
  const s4 = Math.sin(angle);
  return [rx * Math.sign(c4) * Math.abs(c4) ** power, ry * Math.sign(s4) * Math.abs(s4) ** power];
}
function around(count, rx, ry) {
  const steps = 720;
  const curve2 = [];
  const length = [0];
  for (let i5 = 0; i5 <= steps; i5++) {
    const point = at(-Math.PI / 2 + i5 / steps * 2 * Math.PI, rx, ry);
    const before = curve2[i5 - 1];
    curve2.push(point);
    if (before) length.push(length[i5 - 1] + Math.hypot(point[0] - before[0], point[1] - before[1]));
  }
  const whole2 = length[steps];
  const places = [];
  let i4 = 0;
  for (let seat = 0; seat < count; seat++) {
    while (i4 < steps && length[i4] < whole2 * seat / count) i4++;
    places.push(curve2[i4]);
  }
  return places;
}

// src/parts/MiniTable.tsx
var momentText = (day, night) => t5(night ? "nightN" : "dayN", { n: day });
function MiniTable({ name, seats, day, night, speaking = 0, line, over: over2, names: names2 }) {
  const alive = seats.filter((seat) => !seat.dead).length;
  const places = around(seats.length, 43, names2 ? 37 : 39);
  const size = seats.length > 12 ? "many" : seats.length > 8 ? "some" : "few";
  return /* @__PURE__ */ a4(
    "div",
    {
      class: `mini ${size}${night ? " night" : ""}${names2 ? " named" : ""}`,
      style: hues(seats.length),
      role: "img",
      "aria-label": t5("tableImage", { name: shown(name), moment: over2 ?? momentText(day, night), alive, n: seats.length }),
      children: [
        /* @__PURE__ */ a4(FaceDefs, { seats }),
        /* @__PURE__ */ a4("div", { class: "mini-wood" }),
        /* @__PURE__ */ a4("div", { class: "mini-body", "aria-hidden": "true", children: [
          /* @__PURE__ */ a4("span", { class: "mini-orb" }),
          seats.map((seat, i4) => {
            const [x4, y5] = places[i4];
            return /* @__PURE__ */ a4("div", { class: `mini-seat${seat.dead ? " gone" : ""}${speaking === seat.seat ? " speaks" : ""}`, style: { left: `${50 + x4}%`, top: `${50 + y5}%` }, children: [
              /* @__PURE__ */ a4(Face, { seat: seat.seat, name: seat.name, dead: seat.dead }),
              names2 && /* @__PURE__ */ a4("span", { class: "mini-name", children: /* @__PURE__ */ a4("bdi", { children: isNumberName(seat.name) ? seat.seat : shown(seat.name) }) })
            ] }, seat.seat);
          }),
          /* @__PURE__ */ a4("div", { class: "mini-middle", children: [
            /* @__PURE__ */ a4("strong", { children: over2 ?? momentText(day, night) }),
            line !== void 0 && speaking > 0 ? /* @__PURE__ */ a4("p", { class: "mini-line", children: [
              /* @__PURE__ */ a4(Chip, { seat: speaking }),
              " ",
              /* @__PURE__ */ a4("bdi", { children: shown(line) })
            ] }) : /* @__PURE__ */ a4("span", { class: "mini-alive", children: t5("aliveOf", { alive, n: seats.length }) })
          ] })
        ] })
      ]
    }
  );
}

// src/parts/LiveTable.tsx
function deadIn(doc) {
  const dead = /* @__PURE__ */ new Set();
  for (const event of doc.events)
    if (event.kind === "execute" || event.kind === "death") dead.add(event.seat ?? 0);
  return dead;
}
function lastWord(doc) {
  for (let i4 = doc.events.length - 1; i4 >= 0; i4--) {
    const event = doc.events[i4];
    if (event.kind !== "talk" && event.kind !== "fault") return void 0;
    if (event.kind === "talk" && !event.quiet) return event;
  }
  return void 0;
}
var plainOf = (event, lang2) => event?.plain?.[lang2] ?? event?.text;
function LiveTable({ id, title, names: names2 }) {
  const game = w2(() => new LiveGame(id, "public"), [id]);
  A2(() => () => game.stop(), [game]);
  const doc = game.doc.value;
  if (!doc) return /* @__PURE__ */ a4("div", { class: "mini-wait", children: game.watch.trouble.value ? shown(game.watch.trouble.value.message) : t5("loading") });
  const phase = doc.phases[doc.phases.length - 1];
  const dead = deadIn(doc);
  const word = lastWord(doc);
  const line = plainOf(word, lang.value);
  return /* @__PURE__ */ a4($, { children: /* @__PURE__ */ a4("a", { href: gamePath(id), children: [
    /* @__PURE__ */ a4(
      MiniTable,
      {
        name: title ?? id,
        day: phase?.day ?? 0,
        night: phase?.night ?? false,
        names: names2 === true,
        speaking: word?.seat ?? game.watch.typing.value,
        seats: doc.seats.map((seat) => ({ seat: seat.seat, name: seat.name, dead: dead.has(seat.seat) })),
        ...line !== void 0 && names2 ? { line } : {},
        ...doc.status !== "running" || game.watch.over.value ? { over: doc.winner ? t5(`winner${doc.winner}`) : t5("wallOver") } : {}
      }
    ),
    /* @__PURE__ */ a4("span", { class: "tile-foot", children: [
      /* @__PURE__ */ a4("bdi", { class: "item-name", children: shown(title ?? id) }),
      /* @__PURE__ */ a4("span", { class: "note", children: shown(doc.rules.name) })
    ] })
  ] }) });
}

// src/parts/States.tsx
var Loading = () => /* @__PURE__ */ a4("div", { class: "loading", role: "status", children: [
  /* @__PURE__ */ a4("span", { class: "spinner", "aria-hidden": "true" }),
  t4("loadingThing")
] });
var Empty = ({ title, children }) => /* @__PURE__ */ a4("div", { class: "blank", children: [
  /* @__PURE__ */ a4(Mark, {}),
  /* @__PURE__ */ a4("h2", { children: title }),
  children
] });

// src/parts/Frame.tsx
function useTitle(title) {
  A2(() => {
    document.title = title ? `${shown(title)} · ${t5("siteName")}` : t5("siteName");
  });
}
var links = [
  { path: "search", word: "navSearch" },
  { path: "open", word: "navOpen" },
  { path: "operator", word: "navOperator", operator: true }
];
function SiteNav() {
  const here = location.pathname.slice(base.length);
  return /* @__PURE__ */ a4("nav", { class: "sitenav", "aria-label": t5("nav"), children: links.filter((link) => !link.operator || operatorSecret()).map((link) => /* @__PURE__ */ a4("a", { href: base + link.path, "aria-current": here === link.path ? "page" : void 0, children: t5(link.word) }, link.path)) });
}
function Frame({ title, heading, wide, children }) {
  useTitle(title);
  return /* @__PURE__ */ a4("div", { class: "screen", children: [
    /* @__PURE__ */ a4(TopBar, { children: [
      /* @__PURE__ */ a4("h1", { class: "title", children: heading ?? /* @__PURE__ */ a4("bdi", { children: shown(title) }) }),
      /* @__PURE__ */ a4("span", { class: "space" }),
      /* @__PURE__ */ a4(SiteNav, {})
    ] }),
    /* @__PURE__ */ a4("main", { class: wide ? "page wide" : "page", children })
  ] });
}
function sentence(trouble) {
  if (trouble.status === 404) return t5("trouble404");
  if (trouble.status === 403) return t5("trouble403");
  return shown(trouble.message);
}
var Trouble = ({ trouble, again }) => /* @__PURE__ */ a4("div", { class: "blank", role: "alert", children: [
  /* @__PURE__ */ a4(Mark, {}),
  /* @__PURE__ */ a4("h2", { children: t5("troubleTitle") }),
  /* @__PURE__ */ a4("p", { children: sentence(trouble) }),
  /* @__PURE__ */ a4("p", { class: "acts", children: [
    again && /* @__PURE__ */ a4("button", { type: "button", class: "button strong", onClick: again, children: t5("tryAgain") }),
    /* @__PURE__ */ a4("a", { class: "button", href: base, children: t5("toHome") })
  ] })
] });

// src/wall_places.ts
var WALL_AFTER_MS = 6e4;
function placeTables(before, live, lingers, count) {
  const old = before.slice(0, count);
  const waiting = live.filter((id) => !old.includes(id));
  const placed = old.flatMap((id) => {
    if (live.includes(id) || lingers.includes(id)) return [id];
    const next = waiting.shift();
    return next === void 0 ? [] : [next];
  });
  while (placed.length < count && waiting.length > 0) placed.push(waiting.shift());
  return placed.map((id) => live.includes(id) ? id : waiting.shift() ?? id);
}
function lingering(onWall, live, ended, now) {
  const played = live.filter((table2) => !table2.over).map((table2) => table2.id);
  for (const id of played) ended.delete(id);
  return onWall.filter((id) => {
    if (played.includes(id)) return false;
    const since = ended.get(id) ?? now;
    ended.set(id, since);
    return now - since < WALL_AFTER_MS;
  });
}
function nameTables(names2, rooms) {
  for (const room of rooms) if (room.game) names2.set(room.game, room.title || room.code);
}

// src/documents.ts
function documentsIn(page) {
  const found2 = [];
  const element = /<script[^>]*type="application\/json"[^>]*>([^<]*)<\/script>/g;
  for (const [, text] of page.matchAll(element)) {
    try {
      const value = JSON.parse(text ?? "");
      if (docTrouble(value) === null) found2.push(readDoc(value));
    } catch {
    }
  }
  return found2;
}
function readHere(text) {
  const start = text.slice(0, 2e3).trimStart();
  if (start.startsWith("<")) {
    const found2 = documentsIn(text);
    return found2.length > 0 ? found2 : null;
  }
  if (!/^[[{]\s*[{"]/.test(start)) return null;
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const all = Array.isArray(value) ? value : [value];
  if (!all.every((each) => each?.format === "warg-game")) return null;
  return all.map(readDoc);
}
function gameOfUrl(url, origin) {
  try {
    const address = new URL(url, origin);
    if (address.origin !== origin || !address.pathname.startsWith("/web/g/")) return null;
    return address.pathname + address.hash;
  } catch {
    return null;
  }
}

// src/opening.ts
var FILE_MAX = 16 * 1024 * 1024;
var openedFiles = y3([]);
var lastId2 = 0;
function change(id, made) {
  openedFiles.value = openedFiles.value.map((file) => file.id === id ? { ...file, ...made } : file);
}
function removeFile(id) {
  openedFiles.value = openedFiles.value.filter((file) => file.id !== id);
}
var isGzip = (bytes) => bytes[0] === 31 && bytes[1] === 139;
async function unpacked(blob) {
  return new Response(blob.stream().pipeThrough(new DecompressionStream("gzip"))).text();
}
async function read(name, blob) {
  if (blob.size === 0) throw new Error(t5("openEmpty", { name }));
  if (blob.size > FILE_MAX) throw new Error(t5("openTooBig", { name }));
  const head = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  const here = readHere(isGzip(head) ? await unpacked(blob) : await blob.text());
  if (here) return here;
  const answer = await postBytes(`open?name=${encodeURIComponent(name)}`, blob);
  const docs = Array.isArray(answer) ? answer : answer.documents ?? [answer];
  return docs.map(readDoc);
}
async function openFiles(files) {
  const rows = files.map((file) => ({ id: ++lastId2, name: file.name, state: "reading", docs: [] }));
  openedFiles.value = [...openedFiles.value, ...rows];
  for (const [i4, file] of files.entries()) {
    const { id } = rows[i4];
    try {
      change(id, { state: "good", docs: await read(file.name, file.blob) });
    } catch (error) {
      change(id, { state: "bad", trouble: asTrouble(error).message });
    }
  }
  const last = openedFiles.value[openedFiles.value.length - 1];
  const overGame = shownDocs.value.length > 0;
  if (files.length === 1 && last?.state === "good" && (overGame || openedFiles.value.length === 1)) showDocs(last.docs);
  else if (overGame) shownDocs.value = [];
}
function showDocs(docs) {
  shownDocs.value = docs;
}
function filesOf(data) {
  if (!data) return [];
  const files = [...data.files].map((file) => ({ name: file.name, blob: file }));
  if (files.length > 0) return files;
  const text = data.getData("text/plain");
  return text.includes("\n") ? [{ name: t5("openPasted"), blob: new Blob([text]) }] : [];
}

// src/pages/Open.tsx
function ChooseFiles({ strong }) {
  const input = T2(null);
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("button", { type: "button", class: `button${strong ? " strong" : ""}`, onClick: () => input.current?.click(), children: t5("openChoose") }),
    /* @__PURE__ */ a4(
      "input",
      {
        ref: input,
        type: "file",
        multiple: true,
        class: "unseen",
        tabIndex: -1,
        "aria-label": t5("openChoose"),
        onChange: (event) => {
          const files = [...event.currentTarget.files ?? []].map((file) => ({ name: file.name, blob: file }));
          event.currentTarget.value = "";
          void openFiles(files);
        }
      }
    )
  ] });
}
var about = (file) => {
  const [doc] = file.docs;
  if (!doc) return "";
  const rounds = file.docs.length > 1 ? ` · ${t5("openRounds", { n: file.docs.length })}` : "";
  return `${doc.rules.name} · ${t5("playersN", { n: doc.seats.length })}${rounds}`;
};
var FileRow = ({ file }) => /* @__PURE__ */ a4("li", { class: `item file ${file.state}`, children: [
  /* @__PURE__ */ a4("span", { class: "item-main", children: [
    /* @__PURE__ */ a4("bdi", { class: "item-name", children: shown(file.name) }),
    file.state === "reading" && /* @__PURE__ */ a4("span", { class: "note", children: t5("loadingThing") }),
    file.state === "good" && /* @__PURE__ */ a4("span", { class: "note", children: about(file) }),
    file.state === "bad" && /* @__PURE__ */ a4("span", { class: "bad-text", role: "alert", children: shown(file.trouble ?? "") })
  ] }),
  file.state === "good" && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => showDocs(file.docs), children: [
    t5("openShow"),
    /* @__PURE__ */ a4("span", { class: "unseen", children: [
      " ",
      /* @__PURE__ */ a4("bdi", { children: shown(file.name) })
    ] })
  ] }),
  /* @__PURE__ */ a4("button", { type: "button", class: "button quiet square", "aria-label": t5("openRemove", { name: shown(file.name) }), onClick: () => removeFile(file.id), children: "✕" })
] });
function FileList() {
  const files = openedFiles.value;
  const good = files.filter((file) => file.state === "good");
  if (files.length === 0) return null;
  return /* @__PURE__ */ a4("section", { class: "block", children: [
    /* @__PURE__ */ a4("div", { class: "block-head", children: [
      /* @__PURE__ */ a4("h2", { children: t5("openList") }),
      good.length > 1 && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => showDocs(good.flatMap((file) => file.docs)), children: t5("openShowAll") })
    ] }),
    /* @__PURE__ */ a4("ul", { class: "items panel", children: files.map((file) => /* @__PURE__ */ a4(FileRow, { file }, file.id)) })
  ] });
}
function Paste() {
  const text = useSignal("");
  return /* @__PURE__ */ a4("form", { class: "paste", onSubmit: (event) => {
    event.preventDefault();
    if (text.value.trim() !== "") void openFiles([{ name: t5("openPasted"), blob: new Blob([text.value]) }]);
  }, children: [
    /* @__PURE__ */ a4("label", { for: "pasted", children: t5("openPaste") }),
    /* @__PURE__ */ a4(
      "textarea",
      {
        id: "pasted",
        class: "field area",
        rows: 4,
        spellcheck: false,
        value: text.value,
        onInput: (event) => {
          text.value = event.currentTarget.value;
        },
        onPaste: (event) => {
          const files = event.clipboardData && event.clipboardData.files.length > 0 ? filesOf(event.clipboardData) : [];
          if (files.length === 0) return;
          event.preventDefault();
          void openFiles(files);
        }
      }
    ),
    /* @__PURE__ */ a4("button", { type: "submit", class: "button", disabled: text.value.trim() === "", children: t5("openPasteButton") })
  ] });
}
function Open(_4) {
  A2(() => {
    const url = new URLSearchParams(location.search).get("url");
    const game = url === null ? null : gameOfUrl(url, location.origin);
    if (game) location.replace(game);
  }, []);
  return /* @__PURE__ */ a4(Frame, { title: t5("openTitle"), children: [
    /* @__PURE__ */ a4("section", { class: "dropzone", children: [
      /* @__PURE__ */ a4("svg", { class: "dropsign", viewBox: "0 0 48 48", "aria-hidden": "true", children: /* @__PURE__ */ a4("path", { d: "M24 6v24m-9-9 9 9 9-9M8 34v6h32v-6", fill: "none", stroke: "currentColor", "stroke-width": "3", "stroke-linecap": "round", "stroke-linejoin": "round" }) }),
      /* @__PURE__ */ a4("p", { class: "big", children: t5("openDrop") }),
      /* @__PURE__ */ a4(ChooseFiles, { strong: true }),
      /* @__PURE__ */ a4("p", { class: "note kinds", children: t5("openKinds") })
    ] }),
    /* @__PURE__ */ a4(FileList, {}),
    /* @__PURE__ */ a4("section", { class: "block", children: /* @__PURE__ */ a4(Paste, {}) })
  ] });
}

// src/pages/Home.tsx
var results = choice("results", ["hidden", "shown"], "hidden");
var Block = ({ title, tools, children }) => /* @__PURE__ */ a4("section", { class: "block", children: [
  /* @__PURE__ */ a4("div", { class: "block-head", children: [
    /* @__PURE__ */ a4("h2", { children: title }),
    tools
  ] }),
  children
] });
var ResultSwitch = () => /* @__PURE__ */ a4("label", { class: "switch", children: [
  /* @__PURE__ */ a4("input", { type: "checkbox", checked: results.value === "shown", onChange: (event) => {
    results.value = event.currentTarget.checked ? "shown" : "hidden";
  } }),
  t5("showResults")
] });
function Games({ first, contests }) {
  const names2 = new Map(contests.map((contest) => [contest.id, contest.name]));
  const more = useSignal([]);
  const end = useSignal(first.length < 50);
  const all = [...first, ...more.value.filter((game) => !first.some((each) => each.id === game.id))];
  const load = async () => {
    const last = all[all.length - 1];
    if (!last) return;
    try {
      const next = await get(`games?limit=100&after=${encodeURIComponent(last.id)}${results.value === "shown" ? "&results=1" : ""}`);
      more.value = [...more.value, ...next.games];
      end.value = next.next === void 0;
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), true);
    }
  };
  return /* @__PURE__ */ a4(Block, { title: t5("homeGames"), tools: /* @__PURE__ */ a4(ResultSwitch, {}), children: [
    /* @__PURE__ */ a4("ul", { class: "items panel", children: all.map((game) => /* @__PURE__ */ a4(GameLine, { game, contestName: names2.get(game.contest ?? "") }, game.id)) }),
    !end.value && /* @__PURE__ */ a4("p", { class: "after", children: /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => void load(), children: t5("homeMoreGames") }) })
  ] });
}
var OpenHint = () => /* @__PURE__ */ a4("section", { class: "block openhint", children: [
  /* @__PURE__ */ a4("div", { children: [
    /* @__PURE__ */ a4("h2", { children: t5("homeOpenTitle") }),
    /* @__PURE__ */ a4("p", { class: "note", children: t5("homeOpenText") })
  ] }),
  /* @__PURE__ */ a4(ChooseFiles, {}),
  /* @__PURE__ */ a4("a", { class: "button", href: `${base}open`, children: t5("openTitle") })
] });
var names = /* @__PURE__ */ new Map();
function Live({ tables, rooms }) {
  nameTables(names, rooms);
  const drawn = tables.slice(0, tables.length <= WATCHES_MAX ? WATCHES_MAX : WATCHES_MAX - 1);
  const rest = tables.slice(drawn.length);
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("ul", { class: "tiles", children: drawn.map((table2) => /* @__PURE__ */ a4("li", { class: "tile", children: /* @__PURE__ */ a4(LiveTable, { id: table2.id, title: names.get(table2.id) }) }, table2.id)) }),
    rest.length > 0 && /* @__PURE__ */ a4("ul", { class: "items panel more", children: rest.map((table2) => /* @__PURE__ */ a4("li", { class: "item", children: /* @__PURE__ */ a4("a", { class: "item-main", href: gamePath(table2.id), children: [
      /* @__PURE__ */ a4("bdi", { class: "item-name", children: shown(names.get(table2.id) ?? table2.id) }),
      /* @__PURE__ */ a4("span", { class: "note", children: [
        shown(table2.rules),
        " · ",
        t5("playersN", { n: table2.players }),
        " · ",
        momentText(table2.day, table2.night)
      ] })
    ] }) }, table2.id)) })
  ] });
}
function Lists({ data }) {
  const { rooms = [], contests = [], sessions = [] } = data;
  const live = (data.live ?? []).filter((table2) => !table2.over);
  const games = (data.games ?? []).filter((game) => !live.some((table2) => table2.id === game.id));
  const nothing2 = live.length + rooms.length + contests.length + games.length + sessions.length === 0;
  return /* @__PURE__ */ a4($, { children: [
    nothing2 && /* @__PURE__ */ a4(Empty, { title: t5("homeNothing"), children: /* @__PURE__ */ a4("p", { children: t5("homeNothingText") }) }),
    live.length > 0 && /* @__PURE__ */ a4(
      Block,
      {
        title: /* @__PURE__ */ a4($, { children: [
          /* @__PURE__ */ a4("span", { class: "livedot", "aria-hidden": "true" }),
          t5("homeLive"),
          " ",
          /* @__PURE__ */ a4("span", { class: "howmany", children: live.length })
        ] }),
        tools: live.length > 1 && /* @__PURE__ */ a4("a", { class: "button quiet", href: `${base}wall?tables=${Math.min(9, live.length)}`, children: t5("wallLink") }),
        children: /* @__PURE__ */ a4(Live, { tables: live, rooms })
      }
    ),
    rooms.length + contests.length + sessions.length > 0 && /* @__PURE__ */ a4("div", { class: "pair", children: [
      rooms.length > 0 && /* @__PURE__ */ a4(Block, { title: t5("homeRooms"), children: /* @__PURE__ */ a4("ul", { class: "items panel", children: rooms.map((room) => /* @__PURE__ */ a4(RoomLine, { room }, room.code)) }) }),
      contests.length > 0 && /* @__PURE__ */ a4(Block, { title: t5("homeContests"), children: /* @__PURE__ */ a4("ul", { class: "items panel", children: contests.map((contest) => /* @__PURE__ */ a4(ContestLine, { contest }, contest.id)) }) }),
      sessions.length > 0 && /* @__PURE__ */ a4(Block, { title: t5("homeSessions"), children: /* @__PURE__ */ a4("ul", { class: "items panel", children: sessions.map((session) => /* @__PURE__ */ a4(SessionLine, { session }, session.id)) }) })
    ] }),
    games.length > 0 && /* @__PURE__ */ a4(Games, { first: games, contests }),
    /* @__PURE__ */ a4(OpenHint, {})
  ] });
}
function Home(_4) {
  const path = results.value === "shown" ? "home?results=1" : "home";
  const { value, trouble, again } = useLoaded(path);
  const plays = value.value?.live !== void 0;
  A2(() => {
    if (!plays) return;
    const deaf = feed.onMessage((message) => {
      if (message.type !== "home" || !value.value) return;
      const { type: _type, games: _games, ...changed } = message;
      value.value = { ...value.value, ...changed };
      if ("games" in message) again();
    });
    const leave = feed.follow({ type: "watch", home: true });
    return () => {
      deaf();
      leave();
    };
  }, [plays]);
  useEach(3e4, again);
  return /* @__PURE__ */ a4(Frame, { title: t5("siteName"), children: value.value ? /* @__PURE__ */ a4(Lists, { data: value.value }) : trouble.value ? /* @__PURE__ */ a4(Trouble, { trouble: trouble.value, again }) : /* @__PURE__ */ a4(Loading, {}) });
}

// src/pages/Login.tsx
function setSecret(secret) {
  try {
    if (secret === null) sessionStorage.removeItem("warg.operator");
    else sessionStorage.setItem("warg.operator", secret);
  } catch {
  }
  feed.login(secret ?? void 0);
}
function Login(_4) {
  const state = useSignal("asking");
  A2(() => {
    const secret = new URLSearchParams(location.hash.slice(1)).get("k") ?? "";
    history.replaceState(null, "", location.pathname);
    if (secret === "") {
      state.value = "bad";
      return;
    }
    setSecret(secret);
    post("login", {}).then(
      () => {
        state.value = "good";
      },
      (error) => {
        const trouble = asTrouble(error);
        if (trouble.status === 0 || trouble.status >= 500) state.value = trouble;
        else {
          setSecret(null);
          state.value = "bad";
        }
      }
    );
  }, []);
  const now = state.value;
  return /* @__PURE__ */ a4(Frame, { title: t5("loginTitle"), children: [
    now === "asking" && /* @__PURE__ */ a4(Loading, {}),
    now === "good" && /* @__PURE__ */ a4(Empty, { title: t5("loginGood"), children: /* @__PURE__ */ a4("p", { class: "acts", children: [
      /* @__PURE__ */ a4("a", { class: "button strong", href: `${base}operator`, children: t5("operatorTitle") }),
      /* @__PURE__ */ a4("a", { class: "button", href: base, children: t5("toHome") })
    ] }) }),
    now === "bad" && /* @__PURE__ */ a4(Empty, { title: t5("loginBad"), children: /* @__PURE__ */ a4("p", { children: t5("operatorLockedText") }) }),
    now instanceof ApiError && /* @__PURE__ */ a4(Trouble, { trouble: now })
  ] });
}

// src/pages/Missing.tsx
var Missing = (_4) => /* @__PURE__ */ a4("div", { class: "screen", children: [
  /* @__PURE__ */ a4(TopBar, {}),
  /* @__PURE__ */ a4("main", { class: "page empty", children: [
    /* @__PURE__ */ a4("h1", { children: t5("missingTitle") }),
    /* @__PURE__ */ a4("p", { children: t5("missingText") }),
    /* @__PURE__ */ a4("p", { children: /* @__PURE__ */ a4("a", { class: "button", href: base, children: t5("toHome") }) })
  ] })
] });

// src/parts/RoomActs.tsx
function SureButton({ word, act }) {
  const armed = useSignal(false);
  A2(() => {
    if (!armed.value) return;
    const timer = setTimeout(() => {
      armed.value = false;
    }, 4e3);
    return () => clearTimeout(timer);
  }, [armed.value]);
  return /* @__PURE__ */ a4("button", { type: "button", class: `button${armed.value ? " danger" : ""}`, onClick: () => {
    if (armed.value) act();
    armed.value = !armed.value;
  }, children: armed.value ? t5("actSure") : word });
}
function RoomActs({ room, changed }) {
  const act = async (what, body = {}) => {
    try {
      await post(`rooms/${encodeURIComponent(room.code)}/${what}`, body);
      toast(t5("actDone"));
    } catch (error) {
      toast(asTrouble(error).message, true);
    }
    changed();
  };
  const whole2 = "rules" in room ? room : null;
  const guests = whole2 ? [...whole2.seats ?? [], ...whole2.queue ?? []] : [];
  const held = whole2?.held === true;
  const idle = room.state === "open" || room.state === "ready";
  return /* @__PURE__ */ a4("div", { class: "acts", role: "group", "aria-label": t5("operatorTitle"), children: [
    idle && /* @__PURE__ */ a4("button", { type: "button", class: "button strong", onClick: () => void act("start"), children: t5("actStart") }),
    whole2 && idle && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => void act("hold", { on: !held }), children: t5(held ? "actGoOn" : "actHold") }),
    room.state === "over" && /* @__PURE__ */ a4("button", { type: "button", class: "button strong", onClick: () => void act("next"), children: t5("actNext") }),
    guests.map((guest) => /* @__PURE__ */ a4(SureButton, { word: t5("actKick", { name: shown(guest.name) }), act: () => void act("kick", { id: guest.id }) }, guest.id)),
    /* @__PURE__ */ a4(SureButton, { word: t5("actClose"), act: () => void act("close") })
  ] });
}

// src/parts/ServerActs.tsx
var actsPath = "/api/v1/operator/acts";
var asked = y3(null);
async function askServer(act) {
  try {
    await post(actsPath, act);
  } catch (error) {
    const trouble = asTrouble(error);
    const body = trouble instanceof ApiError ? trouble.body : null;
    if (trouble.code === "confirm" && body?.confirm) asked.value = { act, confirm: body.confirm, would: body.would ?? "" };
    else toast(trouble.message, true);
  }
}
function Confirm({ changed }) {
  const now = asked.value;
  if (!now) return null;
  const go = async () => {
    asked.value = null;
    try {
      const { done } = await post(actsPath, { ...now.act, confirm: now.confirm });
      toast(done || t5("actDone"));
    } catch (error) {
      toast(asTrouble(error).message, true);
    }
    changed();
  };
  return /* @__PURE__ */ a4("div", { class: "there", role: "alertdialog", "aria-label": t5("serverAsk"), children: [
    /* @__PURE__ */ a4("p", { children: /* @__PURE__ */ a4("bdi", { children: shown(now.would) }) }),
    /* @__PURE__ */ a4("span", { class: "acts", children: [
      /* @__PURE__ */ a4("button", { type: "button", class: "button danger", onClick: () => void go(), children: t5("serverDo") }),
      /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => {
        asked.value = null;
      }, children: t5("serverCancel") })
    ] })
  ] });
}
var kinds = [
  { act: "leave-out", word: "act_leaveout", key: "team" },
  { act: "disconnect", word: "act_disconnect", key: "agent" },
  { act: "void", word: "act_void", key: "game" },
  { act: "end", word: "act_end", key: "game" }
];
var targetText = (act) => [act.team, act.agent, act.game, act.set, act.number].filter((each) => each !== void 0).join(" ");
function NewAct() {
  return /* @__PURE__ */ a4("form", { class: "fields actform", onSubmit: (event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const kind = kinds.find((each) => each.act === form.get("act"));
    const whom = String(form.get("whom") ?? "").trim();
    const why = String(form.get("why") ?? "").trim();
    if (!kind || whom === "") return;
    const target = kind.key === "game" && /^\d+$/.test(whom) ? { set: Number(whom) } : { [kind.key]: whom };
    void askServer({ act: kind.act, ...target, ...why === "" ? {} : { why } });
  }, children: [
    /* @__PURE__ */ a4("label", { class: "labelled", children: [
      t5("serverAct"),
      /* @__PURE__ */ a4("select", { class: "field", name: "act", children: kinds.map((each) => /* @__PURE__ */ a4("option", { value: each.act, children: t5(each.word) }, each.act)) })
    ] }),
    /* @__PURE__ */ a4("label", { class: "labelled", children: [
      t5("serverWhom"),
      /* @__PURE__ */ a4("input", { class: "field", name: "whom", required: true, maxLength: 255, autocomplete: "off" })
    ] }),
    /* @__PURE__ */ a4("label", { class: "labelled", children: [
      t5("serverWhy"),
      /* @__PURE__ */ a4("input", { class: "field", name: "why", maxLength: 400, autocomplete: "off" })
    ] }),
    /* @__PURE__ */ a4("button", { type: "submit", class: "button", children: t5("serverAsk") })
  ] });
}
function Logs() {
  const kind = useSignal("day");
  return /* @__PURE__ */ a4("form", { class: "fields actform", onSubmit: (event) => {
    event.preventDefault();
    const value = String(new FormData(event.currentTarget).get("value") ?? "").trim();
    if (value !== "") download(`/api/v1/operator/logs?${kind.value}=${encodeURIComponent(value)}`, `logs-${kind.value}.tar.gz`).catch((error) => toast(asTrouble(error).message, true));
  }, children: [
    /* @__PURE__ */ a4("label", { class: "labelled", children: [
      t5("serverDownload"),
      /* @__PURE__ */ a4("select", { class: "field", value: kind.value, onChange: (event) => {
        kind.value = event.currentTarget.value === "team" ? "team" : "day";
      }, children: [
        /* @__PURE__ */ a4("option", { value: "day", children: t5("serverLogsDay") }),
        /* @__PURE__ */ a4("option", { value: "team", children: t5("serverLogsTeam") })
      ] })
    ] }),
    /* @__PURE__ */ a4("label", { class: "labelled", children: [
      t5(kind.value === "day" ? "filterDay" : "filterTeam"),
      kind.value === "day" ? /* @__PURE__ */ a4("input", { class: "field", name: "value", type: "date", required: true }) : /* @__PURE__ */ a4("input", { class: "field", name: "value", type: "text", required: true, autocomplete: "off" })
    ] }),
    /* @__PURE__ */ a4("button", { type: "submit", class: "button", children: t5("serverDownload") })
  ] });
}
function ServerActs({ acts, changed }) {
  const done = acts.acts.slice(0, 20);
  return /* @__PURE__ */ a4("section", { class: "block", children: [
    /* @__PURE__ */ a4("div", { class: "block-head", children: /* @__PURE__ */ a4("h2", { children: t5("serverTitle") }) }),
    /* @__PURE__ */ a4("div", { class: "panel newroom", children: [
      /* @__PURE__ */ a4(Confirm, { changed }),
      /* @__PURE__ */ a4("p", { class: "acts middle", children: [
        /* @__PURE__ */ a4("span", { children: t5(acts.held ? "serverHeld" : "serverRuns") }),
        /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => void askServer({ act: acts.held ? "go-on" : "hold" }), children: t5(acts.held ? "serverGoOn" : "serverHold") })
      ] }),
      acts.left_out.length > 0 && /* @__PURE__ */ a4("p", { class: "acts middle", children: [
        /* @__PURE__ */ a4("span", { children: [
          t5("serverOut"),
          ":"
        ] }),
        acts.left_out.map((team) => /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => void askServer({ act: "let-in", team }), children: t5("serverLetIn", { name: shown(team) }) }, team))
      ] }),
      /* @__PURE__ */ a4(NewAct, {}),
      /* @__PURE__ */ a4(Logs, {}),
      done.length > 0 && /* @__PURE__ */ a4("details", { children: [
        /* @__PURE__ */ a4("summary", { children: [
          t5("serverDone"),
          " ",
          /* @__PURE__ */ a4("span", { class: "howmany", children: acts.acts.length })
        ] }),
        /* @__PURE__ */ a4("ul", { class: "donelist", children: done.map((act, i4) => /* @__PURE__ */ a4("li", { children: [
          /* @__PURE__ */ a4("span", { class: "note", children: act.at }),
          " ",
          /* @__PURE__ */ a4("strong", { children: act.act }),
          " ",
          /* @__PURE__ */ a4("bdi", { children: shown(targetText(act)) }),
          " ",
          /* @__PURE__ */ a4("bdi", { class: "note", children: shown([act.by, act.why].filter(Boolean).join(" – ")) })
        ] }, i4)) })
      ] })
    ] })
  ] });
}

// src/pages/Operator.tsx
var Locked = () => /* @__PURE__ */ a4(Empty, { title: t5("operatorLocked"), children: /* @__PURE__ */ a4("p", { children: t5("operatorLockedText") }) });
var NumberField = ({ name, word, first, min, max }) => /* @__PURE__ */ a4("label", { class: "labelled", children: [
  t5(word),
  /* @__PURE__ */ a4("input", { class: "field", type: "number", name, min, max, defaultValue: String(first), required: true })
] });
var Check = ({ name, word, on }) => /* @__PURE__ */ a4("label", { class: "switch", children: [
  /* @__PURE__ */ a4("input", { type: "checkbox", name, defaultChecked: on === true }),
  t5(word)
] });
function roomOf(form) {
  const text = (name) => String(form.get(name) ?? "");
  const whole2 = (name) => Number(form.get(name) ?? 0);
  return {
    title: text("title"),
    division: text("division"),
    rules: text("rules"),
    players: whole2("players"),
    people: whole2("people"),
    fill: text("fill"),
    start: text("start") === "after" ? `${whole2("start_s")}s` : text("start"),
    language: text("language"),
    delay_s: whole2("delay_s"),
    names_hidden: form.has("names_hidden"),
    listed: form.has("listed"),
    kept: form.has("kept")
  };
}
function NewRoom({ offers, made }) {
  const division = useSignal(offers?.divisions?.[0] ?? "nlp");
  const start = useSignal("full");
  const rules = offers?.rules?.[division.value];
  return /* @__PURE__ */ a4("form", { class: "panel newroom", onSubmit: (event) => {
    event.preventDefault();
    post("rooms", roomOf(new FormData(event.currentTarget))).then(
      (room) => {
        toast(t5("actDone"));
        made();
        if (room?.code) location.assign(roomPath(room.code));
      },
      (error) => toast(asTrouble(error).message, true)
    );
  }, children: [
    /* @__PURE__ */ a4("div", { class: "fields", children: [
      /* @__PURE__ */ a4("label", { class: "labelled", children: [
        t5("operatorName"),
        /* @__PURE__ */ a4("input", { class: "field", name: "title", maxLength: 40, autocomplete: "off" })
      ] }),
      /* @__PURE__ */ a4("label", { class: "labelled", children: [
        t5("operatorDivision"),
        /* @__PURE__ */ a4("select", { class: "field", name: "division", value: division.value, onChange: (event) => {
          division.value = event.currentTarget.value;
        }, children: (offers?.divisions ?? ["nlp", "protocol", "maw"]).map((each) => /* @__PURE__ */ a4("option", { value: each, children: divisionWord(each) }, each)) })
      ] }),
      /* @__PURE__ */ a4("label", { class: "labelled", children: [
        t5("operatorRules"),
        rules && rules.length > 0 ? /* @__PURE__ */ a4("select", { class: "field", name: "rules", children: rules.map((each) => /* @__PURE__ */ a4("option", { children: each }, each)) }) : /* @__PURE__ */ a4("input", { class: "field", name: "rules", autocomplete: "off" })
      ] }),
      /* @__PURE__ */ a4(NumberField, { name: "players", word: "operatorPlayers", first: 5, min: 3, max: 30 }),
      /* @__PURE__ */ a4(NumberField, { name: "people", word: "operatorPeople", first: 1, min: 1, max: 30 }),
      /* @__PURE__ */ a4("label", { class: "labelled", children: [
        t5("operatorFill"),
        offers?.fill && offers.fill.length > 0 ? /* @__PURE__ */ a4("select", { class: "field", name: "fill", children: offers.fill.map((each) => /* @__PURE__ */ a4("option", { value: each, children: each || t5("operatorFillUsual") }, each)) }) : /* @__PURE__ */ a4("input", { class: "field", name: "fill", defaultValue: "bot:talker", autocomplete: "off" })
      ] }),
      /* @__PURE__ */ a4("label", { class: "labelled", children: [
        t5("operatorStart"),
        /* @__PURE__ */ a4("select", { class: "field", name: "start", value: start.value, onChange: (event) => {
          start.value = event.currentTarget.value;
        }, children: ["full", "after", "hand"].map((each) => /* @__PURE__ */ a4("option", { value: each, children: t5(`operatorStart_${each}`) }, each)) })
      ] }),
      start.value === "after" && /* @__PURE__ */ a4(NumberField, { name: "start_s", word: "operatorStartS", first: 60, min: 5, max: 3600 }),
      /* @__PURE__ */ a4("label", { class: "labelled", children: [
        t5("operatorLang"),
        /* @__PURE__ */ a4("select", { class: "field", name: "language", children: [
          /* @__PURE__ */ a4("option", { value: "en", children: "English" }),
          /* @__PURE__ */ a4("option", { value: "ja", children: "日本語" })
        ] })
      ] }),
      /* @__PURE__ */ a4(NumberField, { name: "delay_s", word: "operatorDelay", first: 0, min: 0, max: 86400 })
    ] }),
    /* @__PURE__ */ a4("div", { class: "switches", children: [
      /* @__PURE__ */ a4(Check, { name: "listed", word: "operatorListed", on: true }),
      /* @__PURE__ */ a4(Check, { name: "names_hidden", word: "operatorNamesHidden" }),
      /* @__PURE__ */ a4(Check, { name: "kept", word: "operatorKept" })
    ] }),
    /* @__PURE__ */ a4("button", { type: "submit", class: "button strong", children: t5("operatorMake") })
  ] });
}
var RoomRow = ({ room, changed }) => /* @__PURE__ */ a4("li", { class: "roomrow", children: [
  /* @__PURE__ */ a4("ul", { class: "items", children: /* @__PURE__ */ a4(RoomLine, { room }) }),
  /* @__PURE__ */ a4(RoomActs, { room, changed })
] });
function TableRow({ table: table2, acts }) {
  return /* @__PURE__ */ a4("li", { class: "item", children: [
    /* @__PURE__ */ a4("a", { class: "item-main", href: `${gamePath(table2.id)}#view=all`, children: [
      /* @__PURE__ */ a4("bdi", { class: "item-name", children: shown(table2.id) }),
      /* @__PURE__ */ a4("span", { class: "note", children: [
        shown(table2.rules),
        " · ",
        momentText(table2.day, table2.night),
        " · ",
        t5("playersN", { n: table2.players })
      ] })
    ] }),
    /* @__PURE__ */ a4("a", { class: "button", href: `${base}mind/${encodeURIComponent(table2.id)}`, children: [
      t5("actMind"),
      /* @__PURE__ */ a4("span", { class: "unseen", children: [
        " ",
        shown(table2.id)
      ] })
    ] }),
    acts && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => void askServer({ act: "end", game: table2.id }), children: [
      t5("actEnd"),
      /* @__PURE__ */ a4("span", { class: "unseen", children: [
        " ",
        shown(table2.id)
      ] })
    ] })
  ] });
}
function Desk() {
  const rooms = useLoaded("rooms");
  const home = useLoaded("home");
  const acts = useLoaded("/api/v1/operator/acts");
  const again = () => {
    if (acts.value.value) acts.again();
    rooms.again();
    home.again();
  };
  useEach(5e3, again);
  const trouble = rooms.trouble.value;
  if ((trouble?.status === 401 || trouble?.status === 403) && !acts.value.value) return /* @__PURE__ */ a4(Locked, {});
  const data = rooms.value.value;
  const live = (home.value.value?.live ?? []).filter((table2) => !table2.over);
  if (!data && !trouble) return /* @__PURE__ */ a4(Loading, {});
  return /* @__PURE__ */ a4($, { children: [
    trouble && trouble.status !== 404 && /* @__PURE__ */ a4(Trouble, { trouble, again }),
    acts.value.value && /* @__PURE__ */ a4(ServerActs, { acts: acts.value.value, changed: again }),
    data && /* @__PURE__ */ a4("section", { class: "block", children: [
      /* @__PURE__ */ a4("div", { class: "block-head", children: /* @__PURE__ */ a4("h2", { children: t5("operatorRooms") }) }),
      data.rooms.length === 0 ? /* @__PURE__ */ a4("p", { class: "note", children: t5("operatorNoRooms") }) : /* @__PURE__ */ a4("ul", { class: "items panel", children: data.rooms.map((room) => /* @__PURE__ */ a4(RoomRow, { room, changed: again }, room.code)) })
    ] }),
    data && /* @__PURE__ */ a4("section", { class: "block", children: [
      /* @__PURE__ */ a4("div", { class: "block-head", children: /* @__PURE__ */ a4("h2", { children: t5("operatorNew") }) }),
      /* @__PURE__ */ a4(NewRoom, { offers: data.offers, made: again })
    ] }),
    /* @__PURE__ */ a4("section", { class: "block", children: [
      /* @__PURE__ */ a4("div", { class: "block-head", children: /* @__PURE__ */ a4("h2", { children: t5("operatorTables") }) }),
      live.length === 0 ? /* @__PURE__ */ a4("p", { class: "note", children: t5("operatorNoTables") }) : /* @__PURE__ */ a4("ul", { class: "items panel", children: live.map((table2) => /* @__PURE__ */ a4(TableRow, { table: table2, acts: acts.value.value !== null }, table2.id)) })
    ] }),
    /* @__PURE__ */ a4("p", { children: /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => {
      setSecret(null);
      location.assign(base);
    }, children: t5("operatorLogout") }) })
  ] });
}
var Operator = (_4) => /* @__PURE__ */ a4(Frame, { title: t5("operatorTitle"), children: operatorSecret() ? /* @__PURE__ */ a4(Desk, {}) : /* @__PURE__ */ a4(Locked, {}) });

// node_modules/uqr/dist/index.mjs
var QrCodeDataType = /* @__PURE__ */ ((QrCodeDataType2) => {
  QrCodeDataType2[QrCodeDataType2["Border"] = -1] = "Border";
  QrCodeDataType2[QrCodeDataType2["Data"] = 0] = "Data";
  QrCodeDataType2[QrCodeDataType2["Function"] = 1] = "Function";
  QrCodeDataType2[QrCodeDataType2["Position"] = 2] = "Position";
  QrCodeDataType2[QrCodeDataType2["Timing"] = 3] = "Timing";
  QrCodeDataType2[QrCodeDataType2["Alignment"] = 4] = "Alignment";
  return QrCodeDataType2;
})(QrCodeDataType || {});
var LOW = [0, 1];
var MEDIUM = [1, 0];
var QUARTILE = [2, 3];
var HIGH = [3, 2];
var EccMap = {
  L: LOW,
  M: MEDIUM,
  Q: QUARTILE,
  H: HIGH
};
var NUMERIC_REGEX = /^\d*$/;
var ALPHANUMERIC_REGEX = /^[A-Z0-9 $%*+./:-]*$/;
var ALPHANUMERIC_CHARSET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
var MIN_VERSION = 1;
var MAX_VERSION = 40;
var PENALTY_N1 = 3;
var PENALTY_N2 = 3;
var PENALTY_N3 = 40;
var PENALTY_N4 = 10;
var ECC_CODEWORDS_PER_BLOCK = [
  // Version: (note that index 0 is for padding, and is set to an illegal value)
  // 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40    Error correction level
  [-1, 7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30],
  // Low
  [-1, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28],
  // Medium
  [-1, 13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30, 30, 30, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30],
  // Quartile
  [-1, 17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30]
  // High
];
var NUM_ERROR_CORRECTION_BLOCKS = [
  // Version: (note that index 0 is for padding, and is set to an illegal value)
  // 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40    Error correction level
  [-1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25],
  // Low
  [-1, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49],
  // Medium
  [-1, 1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34, 34, 35, 38, 40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68],
  // Quartile
  [-1, 1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37, 40, 42, 45, 48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81]
  // High
];
var QrCode = class {
  /* -- Constructor (low level) and fields -- */
  // Creates a new QR Code with the given version number,
  // error correction level, data codeword bytes, and mask number.
  // This is a low-level API that most users should not use directly.
  // A mid-level API is the encodeSegments() function.
  constructor(version, ecc, dataCodewords, msk) {
    this.version = version;
    this.ecc = ecc;
    if (version < MIN_VERSION || version > MAX_VERSION)
      throw new RangeError("Version value out of range");
    if (msk < -1 || msk > 7)
      throw new RangeError("Mask value out of range");
    this.size = version * 4 + 17;
    const row = Array.from({ length: this.size }).fill(false);
    for (let i4 = 0; i4 < this.size; i4++) {
      this.modules.push(row.slice());
      this.types.push(row.map(() => 0));
    }
    this.drawFunctionPatterns();
    const allCodewords = this.addEccAndInterleave(dataCodewords);
    this.drawCodewords(allCodewords);
    if (msk === -1) {
      let minPenalty = 1e9;
      for (let i4 = 0; i4 < 8; i4++) {
        this.applyMask(i4);
        this.drawFormatBits(i4);
        const penalty = this.getPenaltyScore();
        if (penalty < minPenalty) {
          msk = i4;
          minPenalty = penalty;
        }
        this.applyMask(i4);
      }
    }
    this.mask = msk;
    this.applyMask(msk);
    this.drawFormatBits(msk);
  }
  /* -- Fields -- */
  // The width and height of this QR Code, measured in modules, between
  // 21 and 177 (inclusive). This is equal to version * 4 + 17.
  size;
  // The index of the mask pattern used in this QR Code, which is between 0 and 7 (inclusive).
  // Even if a QR Code is created with automatic masking requested (mask = -1),
  // the resulting object still has a mask value between 0 and 7.
  mask;
  // The modules of this QR Code (false = light, true = dark).
  // Immutable after constructor finishes. Accessed through getModule().
  modules = [];
  types = [];
  /* -- Accessor methods -- */
  // Returns the color of the module (pixel) at the given coordinates, which is false
  // for light or true for dark. The top left corner has the coordinates (x=0, y=0).
  // If the given coordinates are out of bounds, then false (light) is returned.
  getModule(x4, y5) {
    return x4 >= 0 && x4 < this.size && y5 >= 0 && y5 < this.size && this.modules[y5][x4];
  }
  /* -- Private helper methods for constructor: Drawing function modules -- */
  // Reads this object's version field, and draws and marks all function modules.
  drawFunctionPatterns() {
    for (let i4 = 0; i4 < this.size; i4++) {
      this.setFunctionModule(6, i4, i4 % 2 === 0, QrCodeDataType.Timing);
      this.setFunctionModule(i4, 6, i4 % 2 === 0, QrCodeDataType.Timing);
    }
    this.drawFinderPattern(3, 3);
    this.drawFinderPattern(this.size - 4, 3);
    this.drawFinderPattern(3, this.size - 4);
    const alignPatPos = this.getAlignmentPatternPositions();
    const numAlign = alignPatPos.length;
    for (let i4 = 0; i4 < numAlign; i4++) {
      for (let j3 = 0; j3 < numAlign; j3++) {
        if (!(i4 === 0 && j3 === 0 || i4 === 0 && j3 === numAlign - 1 || i4 === numAlign - 1 && j3 === 0))
          this.drawAlignmentPattern(alignPatPos[i4], alignPatPos[j3]);
      }
    }
    this.drawFormatBits(0);
    this.drawVersion();
  }
  // Draws two copies of the format bits (with its own error correction code)
  // based on the given mask and this object's error correction level field.
  drawFormatBits(mask) {
    const data = this.ecc[1] << 3 | mask;
    let rem = data;
    for (let i4 = 0; i4 < 10; i4++)
      rem = rem << 1 ^ (rem >>> 9) * 1335;
    const bits = (data << 10 | rem) ^ 21522;
    for (let i4 = 0; i4 <= 5; i4++)
      this.setFunctionModule(8, i4, getBit(bits, i4));
    this.setFunctionModule(8, 7, getBit(bits, 6));
    this.setFunctionModule(8, 8, getBit(bits, 7));
    this.setFunctionModule(7, 8, getBit(bits, 8));
    for (let i4 = 9; i4 < 15; i4++)
      this.setFunctionModule(14 - i4, 8, getBit(bits, i4));
    for (let i4 = 0; i4 < 8; i4++)
      this.setFunctionModule(this.size - 1 - i4, 8, getBit(bits, i4));
    for (let i4 = 8; i4 < 15; i4++)
      this.setFunctionModule(8, this.size - 15 + i4, getBit(bits, i4));
    this.setFunctionModule(8, this.size - 8, true);
  }
  // Draws two copies of the version bits (with its own error correction code),
  // based on this object's version field, iff 7 <= version <= 40.
  drawVersion() {
    if (this.version < 7)
      return;
    let rem = this.version;
    for (let i4 = 0; i4 < 12; i4++)
      rem = rem << 1 ^ (rem >>> 11) * 7973;
    const bits = this.version << 12 | rem;
    for (let i4 = 0; i4 < 18; i4++) {
      const color = getBit(bits, i4);
      const a5 = this.size - 11 + i4 % 3;
      const b3 = Math.floor(i4 / 3);
      this.setFunctionModule(a5, b3, color);
      this.setFunctionModule(b3, a5, color);
    }
  }
  // Draws a 9*9 finder pattern including the border separator,
  // with the center module at (x, y). Modules can be out of bounds.
  drawFinderPattern(x4, y5) {
    for (let dy = -4; dy <= 4; dy++) {
      for (let dx = -4; dx <= 4; dx++) {
        const dist = Math.max(Math.abs(dx), Math.abs(dy));
        const xx = x4 + dx;
        const yy = y5 + dy;
        if (xx >= 0 && xx < this.size && yy >= 0 && yy < this.size)
          this.setFunctionModule(xx, yy, dist !== 2 && dist !== 4, QrCodeDataType.Position);
      }
    }
  }
  // Draws a 5*5 alignment pattern, with the center module
  // at (x, y). All modules must be in bounds.
  drawAlignmentPattern(x4, y5) {
    for (let dy = -2; dy <= 2; dy++) {
      for (let dx = -2; dx <= 2; dx++) {
        this.setFunctionModule(
          x4 + dx,
          y5 + dy,
          Math.max(Math.abs(dx), Math.abs(dy)) !== 1,
          QrCodeDataType.Alignment
        );
      }
    }
  }
  // Sets the color of a module and marks it as a function module.
  // Only used by the constructor. Coordinates must be in bounds.
  setFunctionModule(x4, y5, isDark, type = QrCodeDataType.Function) {
    this.modules[y5][x4] = isDark;
    this.types[y5][x4] = type;
  }
  /* -- Private helper methods for constructor: Codewords and masking -- */
  // Returns a new byte string representing the given data with the appropriate error correction
  // codewords appended to it, based on this object's version and error correction level.
  addEccAndInterleave(data) {
    const ver = this.version;
    const ecl = this.ecc;
    if (data.length !== getNumDataCodewords(ver, ecl))
      throw new RangeError("Invalid argument");
    const numBlocks = NUM_ERROR_CORRECTION_BLOCKS[ecl[0]][ver];
    const blockEccLen = ECC_CODEWORDS_PER_BLOCK[ecl[0]][ver];
    const rawCodewords = Math.floor(getNumRawDataModules(ver) / 8);
    const numShortBlocks = numBlocks - rawCodewords % numBlocks;
    const shortBlockLen = Math.floor(rawCodewords / numBlocks);
    const blocks = [];
    const rsDiv = reedSolomonComputeDivisor(blockEccLen);
    for (let i4 = 0, k4 = 0; i4 < numBlocks; i4++) {
      const dat = data.slice(k4, k4 + shortBlockLen - blockEccLen + (i4 < numShortBlocks ? 0 : 1));
      k4 += dat.length;
      const ecc = reedSolomonComputeRemainder(dat, rsDiv);
      if (i4 < numShortBlocks)
        dat.push(0);
      blocks.push(dat.concat(ecc));
    }
    const result = [];
    for (let i4 = 0; i4 < blocks[0].length; i4++) {
      blocks.forEach((block, j3) => {
        if (i4 !== shortBlockLen - blockEccLen || j3 >= numShortBlocks)
          result.push(block[i4]);
      });
    }
    return result;
  }
  // Draws the given sequence of 8-bit codewords (data and error correction) onto the entire
  // data area of this QR Code. Function modules need to be marked off before this is called.
  drawCodewords(data) {
    if (data.length !== Math.floor(getNumRawDataModules(this.version) / 8))
      throw new RangeError("Invalid argument");
    let i4 = 0;
    for (let right = this.size - 1; right >= 1; right -= 2) {
      if (right === 6)
        right = 5;
      for (let vert = 0; vert < this.size; vert++) {
        for (let j3 = 0; j3 < 2; j3++) {
          const x4 = right - j3;
          const upward = (right + 1 & 2) === 0;
          const y5 = upward ? this.size - 1 - vert : vert;
          if (!this.types[y5][x4] && i4 < data.length * 8) {
            this.modules[y5][x4] = getBit(data[i4 >>> 3], 7 - (i4 & 7));
            i4++;
          }
        }
      }
    }
  }
  // XORs the codeword modules in this QR Code with the given mask pattern.
  // The function modules must be marked and the codeword bits must be drawn
  // before masking. Due to the arithmetic of XOR, calling applyMask() with
  // the same mask value a second time will undo the mask. A final well-formed
  // QR Code needs exactly one (not zero, two, etc.) mask applied.
  applyMask(mask) {
    if (mask < 0 || mask > 7)
      throw new RangeError("Mask value out of range");
    for (let y5 = 0; y5 < this.size; y5++) {
      for (let x4 = 0; x4 < this.size; x4++) {
        let invert;
        switch (mask) {
          case 0:
            invert = (x4 + y5) % 2 === 0;
            break;
          case 1:
            invert = y5 % 2 === 0;
            break;
          case 2:
            invert = x4 % 3 === 0;
            break;
          case 3:
            invert = (x4 + y5) % 3 === 0;
            break;
          case 4:
            invert = (Math.floor(x4 / 3) + Math.floor(y5 / 2)) % 2 === 0;
            break;
          case 5:
            invert = x4 * y5 % 2 + x4 * y5 % 3 === 0;
            break;
          case 6:
            invert = (x4 * y5 % 2 + x4 * y5 % 3) % 2 === 0;
            break;
          case 7:
            invert = ((x4 + y5) % 2 + x4 * y5 % 3) % 2 === 0;
            break;
          default:
            throw new Error("Unreachable");
        }
        if (!this.types[y5][x4] && invert)
          this.modules[y5][x4] = !this.modules[y5][x4];
      }
    }
  }
  // Calculates and returns the penalty score based on state of this QR Code's current modules.
  // This is used by the automatic mask choice algorithm to find the mask pattern that yields the lowest score.
  getPenaltyScore() {
    let result = 0;
    for (let y5 = 0; y5 < this.size; y5++) {
      let runColor = false;
      let runX = 0;
      const runHistory = [0, 0, 0, 0, 0, 0, 0];
      for (let x4 = 0; x4 < this.size; x4++) {
        if (this.modules[y5][x4] === runColor) {
          runX++;
          if (runX === 5)
            result += PENALTY_N1;
          else if (runX > 5)
            result++;
        } else {
          this.finderPenaltyAddHistory(runX, runHistory);
          if (!runColor)
            result += this.finderPenaltyCountPatterns(runHistory) * PENALTY_N3;
          runColor = this.modules[y5][x4];
          runX = 1;
        }
      }
      result += this.finderPenaltyTerminateAndCount(runColor, runX, runHistory) * PENALTY_N3;
    }
    for (let x4 = 0; x4 < this.size; x4++) {
      let runColor = false;
      let runY = 0;
      const runHistory = [0, 0, 0, 0, 0, 0, 0];
      for (let y5 = 0; y5 < this.size; y5++) {
        if (this.modules[y5][x4] === runColor) {
          runY++;
          if (runY === 5)
            result += PENALTY_N1;
          else if (runY > 5)
            result++;
        } else {
          this.finderPenaltyAddHistory(runY, runHistory);
          if (!runColor)
            result += this.finderPenaltyCountPatterns(runHistory) * PENALTY_N3;
          runColor = this.modules[y5][x4];
          runY = 1;
        }
      }
      result += this.finderPenaltyTerminateAndCount(runColor, runY, runHistory) * PENALTY_N3;
    }
    for (let y5 = 0; y5 < this.size - 1; y5++) {
      for (let x4 = 0; x4 < this.size - 1; x4++) {
        const color = this.modules[y5][x4];
        if (color === this.modules[y5][x4 + 1] && color === this.modules[y5 + 1][x4] && color === this.modules[y5 + 1][x4 + 1]) {
          result += PENALTY_N2;
        }
      }
    }
    let dark = 0;
    for (const row of this.modules)
      dark = row.reduce((sum, color) => sum + (color ? 1 : 0), dark);
    const total = this.size * this.size;
    const k4 = Math.ceil(Math.abs(dark * 20 - total * 10) / total) - 1;
    result += k4 * PENALTY_N4;
    return result;
  }
  /* -- Private helper functions -- */
  // Returns an ascending list of positions of alignment patterns for this version number.
  // Each position is in the range [0,177), and are used on both the x and y axes.
  // This could be implemented as lookup table of 40 variable-length lists of integers.
  getAlignmentPatternPositions() {
    if (this.version === 1) {
      return [];
    } else {
      const numAlign = Math.floor(this.version / 7) + 2;
      const step = this.version === 32 ? 26 : Math.ceil((this.version * 4 + 4) / (numAlign * 2 - 2)) * 2;
      const result = [6];
      for (let pos = this.size - 7; result.length < numAlign; pos -= step)
        result.splice(1, 0, pos);
      return result;
    }
  }
  // Can only be called immediately after a light run is added, and
  // returns either 0, 1, or 2. A helper function for getPenaltyScore().
  finderPenaltyCountPatterns(runHistory) {
    const n3 = runHistory[1];
    const core = n3 > 0 && runHistory[2] === n3 && runHistory[3] === n3 * 3 && runHistory[4] === n3 && runHistory[5] === n3;
    return (core && runHistory[0] >= n3 * 4 && runHistory[6] >= n3 ? 1 : 0) + (core && runHistory[6] >= n3 * 4 && runHistory[0] >= n3 ? 1 : 0);
  }
  // Must be called at the end of a line (row or column) of modules. A helper function for getPenaltyScore().
  finderPenaltyTerminateAndCount(currentRunColor, currentRunLength, runHistory) {
    if (currentRunColor) {
      this.finderPenaltyAddHistory(currentRunLength, runHistory);
      currentRunLength = 0;
    }
    currentRunLength += this.size;
    this.finderPenaltyAddHistory(currentRunLength, runHistory);
    return this.finderPenaltyCountPatterns(runHistory);
  }
  // Pushes the given value to the front and drops the last value. A helper function for getPenaltyScore().
  finderPenaltyAddHistory(currentRunLength, runHistory) {
    if (runHistory[0] === 0)
      currentRunLength += this.size;
    runHistory.pop();
    runHistory.unshift(currentRunLength);
  }
};
function appendBits(val, len, bb) {
  if (len < 0 || len > 31 || val >>> len !== 0)
    throw new RangeError("Value out of range");
  for (let i4 = len - 1; i4 >= 0; i4--)
    bb.push(val >>> i4 & 1);
}
function getBit(x4, i4) {
  return (x4 >>> i4 & 1) !== 0;
}
var QrSegment = class {
  // Creates a new QR Code segment with the given attributes and data.
  // The character count (numChars) must agree with the mode and the bit buffer length,
  // but the constraint isn't checked. The given bit buffer is cloned and stored.
  constructor(mode, numChars, bitData) {
    this.mode = mode;
    this.numChars = numChars;
    this.bitData = bitData;
    if (numChars < 0)
      throw new RangeError("Invalid argument");
    this.bitData = bitData.slice();
  }
  /* -- Methods -- */
  // Returns a new copy of the data bits of this segment.
  getData() {
    return this.bitData.slice();
  }
};
var MODE_NUMERIC = [1, 10, 12, 14];
var MODE_ALPHANUMERIC = [2, 9, 11, 13];
var MODE_BYTE = [4, 8, 16, 16];
function numCharCountBits(mode, ver) {
  return mode[Math.floor((ver + 7) / 17) + 1];
}
function makeBytes(data) {
  const bb = [];
  for (const b3 of data)
    appendBits(b3, 8, bb);
  return new QrSegment(MODE_BYTE, data.length, bb);
}
function makeNumeric(digits) {
  if (!isNumeric(digits))
    throw new RangeError("String contains non-numeric characters");
  const bb = [];
  for (let i4 = 0; i4 < digits.length; ) {
    const n3 = Math.min(digits.length - i4, 3);
    appendBits(Number.parseInt(digits.substring(i4, i4 + n3), 10), n3 * 3 + 1, bb);
    i4 += n3;
  }
  return new QrSegment(MODE_NUMERIC, digits.length, bb);
}
function makeAlphanumeric(text) {
  if (!isAlphanumeric(text))
    throw new RangeError("String contains unencodable characters in alphanumeric mode");
  const bb = [];
  let i4;
  for (i4 = 0; i4 + 2 <= text.length; i4 += 2) {
    let temp = ALPHANUMERIC_CHARSET.indexOf(text.charAt(i4)) * 45;
    temp += ALPHANUMERIC_CHARSET.indexOf(text.charAt(i4 + 1));
    appendBits(temp, 11, bb);
  }
  if (i4 < text.length)
    appendBits(ALPHANUMERIC_CHARSET.indexOf(text.charAt(i4)), 6, bb);
  return new QrSegment(MODE_ALPHANUMERIC, text.length, bb);
}
function makeSegments(text) {
  if (text === "")
    return [];
  else if (isNumeric(text))
    return [makeNumeric(text)];
  else if (isAlphanumeric(text))
    return [makeAlphanumeric(text)];
  else
    return [makeBytes(toUtf8ByteArray(text))];
}
function isNumeric(text) {
  return NUMERIC_REGEX.test(text);
}
function isAlphanumeric(text) {
  return ALPHANUMERIC_REGEX.test(text);
}
function getTotalBits(segs, version) {
  let result = 0;
  for (const seg of segs) {
    const ccbits = numCharCountBits(seg.mode, version);
    if (seg.numChars >= 1 << ccbits)
      return Number.POSITIVE_INFINITY;
    result += 4 + ccbits + seg.bitData.length;
  }
  return result;
}
function toUtf8ByteArray(str) {
  str = encodeURI(str);
  const result = [];
  for (let i4 = 0; i4 < str.length; i4++) {
    if (str.charAt(i4) !== "%") {
      result.push(str.charCodeAt(i4));
    } else {
      result.push(Number.parseInt(str.substring(i4 + 1, i4 + 3), 16));
      i4 += 2;
    }
  }
  return result;
}
function getNumRawDataModules(ver) {
  if (ver < MIN_VERSION || ver > MAX_VERSION)
    throw new RangeError("Version number out of range");
  let result = (16 * ver + 128) * ver + 64;
  if (ver >= 2) {
    const numAlign = Math.floor(ver / 7) + 2;
    result -= (25 * numAlign - 10) * numAlign - 55;
    if (ver >= 7)
      result -= 36;
  }
  return result;
}
function getNumDataCodewords(ver, ecl) {
  return Math.floor(getNumRawDataModules(ver) / 8) - ECC_CODEWORDS_PER_BLOCK[ecl[0]][ver] * NUM_ERROR_CORRECTION_BLOCKS[ecl[0]][ver];
}
function reedSolomonComputeDivisor(degree) {
  if (degree < 1 || degree > 255)
    throw new RangeError("Degree out of range");
  const result = [];
  for (let i4 = 0; i4 < degree - 1; i4++)
    result.push(0);
  result.push(1);
  let root = 1;
  for (let i4 = 0; i4 < degree; i4++) {
    for (let j3 = 0; j3 < result.length; j3++) {
      result[j3] = reedSolomonMultiply(result[j3], root);
      if (j3 + 1 < result.length)
        result[j3] ^= result[j3 + 1];
    }
    root = reedSolomonMultiply(root, 2);
  }
  return result;
}
function reedSolomonComputeRemainder(data, divisor) {
  const result = divisor.map((_4) => 0);
  for (const b3 of data) {
    const factor = b3 ^ result.shift();
    result.push(0);
    divisor.forEach((coef, i4) => result[i4] ^= reedSolomonMultiply(coef, factor));
  }
  return result;
}
function reedSolomonMultiply(x4, y5) {
  if (x4 >>> 8 !== 0 || y5 >>> 8 !== 0)
    throw new RangeError("Byte out of range");
  let z3 = 0;
  for (let i4 = 7; i4 >= 0; i4--) {
    z3 = z3 << 1 ^ (z3 >>> 7) * 285;
    z3 ^= (y5 >>> i4 & 1) * x4;
  }
  return z3;
}
function encodeSegments(segs, ecl, minVersion = 1, maxVersion = 40, mask = -1, boostEcl = true) {
  if (!(MIN_VERSION <= minVersion && minVersion <= maxVersion && maxVersion <= MAX_VERSION) || mask < -1 || mask > 7) {
    throw new RangeError("Invalid value");
  }
  let version;
  let dataUsedBits;
  for (version = minVersion; ; version++) {
    const dataCapacityBits2 = getNumDataCodewords(version, ecl) * 8;
    const usedBits = getTotalBits(segs, version);
    if (usedBits <= dataCapacityBits2) {
      dataUsedBits = usedBits;
      break;
    }
    if (version >= maxVersion)
      throw new RangeError("Data too long");
  }
  for (const newEcl of [MEDIUM, QUARTILE, HIGH]) {
    if (boostEcl && dataUsedBits <= getNumDataCodewords(version, newEcl) * 8)
      ecl = newEcl;
  }
  const bb = [];
  for (const seg of segs) {
    appendBits(seg.mode[0], 4, bb);
    appendBits(seg.numChars, numCharCountBits(seg.mode, version), bb);
    for (const b3 of seg.getData())
      bb.push(b3);
  }
  const dataCapacityBits = getNumDataCodewords(version, ecl) * 8;
  appendBits(0, Math.min(4, dataCapacityBits - bb.length), bb);
  appendBits(0, (8 - bb.length % 8) % 8, bb);
  for (let padByte = 236; bb.length < dataCapacityBits; padByte ^= 236 ^ 17)
    appendBits(padByte, 8, bb);
  const dataCodewords = Array.from({ length: Math.ceil(bb.length / 8) }, () => 0);
  bb.forEach((b3, i4) => dataCodewords[i4 >>> 3] |= b3 << 7 - (i4 & 7));
  return new QrCode(version, ecl, dataCodewords, mask);
}
function encode(data, options) {
  const {
    ecc = "L",
    boostEcc = false,
    minVersion = 1,
    maxVersion = 40,
    maskPattern = -1,
    border = 1
  } = options || {};
  const segment = typeof data === "string" ? makeSegments(data) : Array.isArray(data) ? [makeBytes(data)] : void 0;
  if (!segment)
    throw new Error(`uqr only supports encoding string and binary data, but got: ${typeof data}`);
  const qr = encodeSegments(
    segment,
    EccMap[ecc],
    minVersion,
    maxVersion,
    maskPattern,
    boostEcc
  );
  const result = addBorder({
    version: qr.version,
    maskPattern: qr.mask,
    size: qr.size,
    data: qr.modules,
    types: qr.types
  }, border);
  if (options?.invert)
    result.data = result.data.map((row) => row.map((mod) => !mod));
  options?.onEncoded?.(result);
  return result;
}
function addBorder(input, border = 1) {
  if (!border)
    return input;
  const { size } = input;
  const newSize = size + border * 2;
  input.size = newSize;
  input.data.forEach((row) => {
    for (let i4 = 0; i4 < border; i4++) {
      row.unshift(false);
      row.push(false);
    }
  });
  for (let i4 = 0; i4 < border; i4++) {
    input.data.unshift(Array.from({ length: newSize }, (_4) => false));
    input.data.push(Array.from({ length: newSize }, (_4) => false));
  }
  const b3 = QrCodeDataType.Border;
  input.types.forEach((row) => {
    for (let i4 = 0; i4 < border; i4++) {
      row.unshift(b3);
      row.push(b3);
    }
  });
  for (let i4 = 0; i4 < border; i4++) {
    input.types.unshift(Array.from({ length: newSize }, (_4) => b3));
    input.types.push(Array.from({ length: newSize }, (_4) => b3));
  }
  return input;
}

// src/parts/Qr.tsx
function qrPath(data) {
  let path = "";
  data.forEach((row, y5) => {
    for (let x4 = 0; x4 < row.length; x4++) {
      const from = x4;
      while (row[x4]) x4++;
      if (x4 > from) path += `M${from} ${y5}h${x4 - from}v1h-${x4 - from}z`;
    }
  });
  return path;
}
function Qr({ text, label }) {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  return /* @__PURE__ */ a4("svg", { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges", children: [
    /* @__PURE__ */ a4("rect", { width: size, height: size, class: "qr-light" }),
    /* @__PURE__ */ a4("path", { d: qrPath(data), class: "qr-dark" })
  ] });
}

// src/pages/RoomPage.tsx
var mergedRoom = (before, now) => ({
  ...now,
  ...before.url !== void 0 ? { url: before.url } : {},
  ...before.delay_ms !== void 0 ? { delay_ms: before.delay_ms } : {}
});
var roomUrl = (room) => room.url ?? `${location.origin}${roomPath(room.code)}`;
function Countdown({ ms, word }) {
  const end = useSignal(performance.now() + ms);
  const left2 = useSignal(ms);
  A2(() => {
    end.value = performance.now() + ms;
    left2.value = ms;
    const timer = setInterval(() => {
      left2.value = Math.max(0, end.value - performance.now());
    }, 500);
    return () => clearInterval(timer);
  }, [ms]);
  return /* @__PURE__ */ a4($, { children: t5(word, { time: clockText(left2.value) }) });
}
function When2({ room }) {
  if (room.trouble) return /* @__PURE__ */ a4("p", { class: "bad-text", children: shown(room.trouble) });
  if (room.held) return /* @__PURE__ */ a4("p", { children: t5("roomHeld") });
  if (room.state === "playing") return /* @__PURE__ */ a4("p", { children: t5("roomBegan") });
  if (room.state === "over") return /* @__PURE__ */ a4("p", { children: room.opens_ms === void 0 ? t5("roomNextSame") : /* @__PURE__ */ a4(Countdown, { ms: room.opens_ms, word: "roomOpensIn" }) });
  if (room.starts_ms !== void 0) return /* @__PURE__ */ a4("p", { children: /* @__PURE__ */ a4(Countdown, { ms: room.starts_ms, word: "roomStart_after" }) });
  if (room.start === "after") return /* @__PURE__ */ a4("p", { children: t5("roomStart_after", { time: spanText(room.start_after_ms ?? 0) }) });
  return room.start ? /* @__PURE__ */ a4("p", { children: t5(`roomStart_${room.start}`) }) : null;
}
var GuestRow = ({ guest, room }) => /* @__PURE__ */ a4("li", { class: `guest${guest.here === false ? " gone" : ""}`, children: [
  /* @__PURE__ */ a4("span", { class: "dot", "aria-hidden": "true" }),
  /* @__PURE__ */ a4("bdi", { children: shown(guest.name) }),
  room.you?.id === guest.id && /* @__PURE__ */ a4("span", { class: "pill", children: t5("roomYou") }),
  guest.here === false && /* @__PURE__ */ a4("span", { class: "note", children: t5("roomAway") })
] });
var freeSeats = (room) => Math.max(0, room.people - (room.seats?.length ?? 0));
function Guests({ room }) {
  const others = room.players - room.people;
  const waiting = room.queue?.length ?? 0;
  return /* @__PURE__ */ a4("section", { class: "panel", children: [
    /* @__PURE__ */ a4("h2", { class: "small", children: t5("roomGuests") }),
    /* @__PURE__ */ a4("ul", { class: "guests", children: [
      (room.seats ?? []).map((guest) => /* @__PURE__ */ a4(GuestRow, { guest, room }, guest.id)),
      room.state !== "playing" && Array.from({ length: Math.min(freeSeats(room), 30) }, (_4, i4) => /* @__PURE__ */ a4("li", { class: "guest free", children: [
        /* @__PURE__ */ a4("span", { class: "dot", "aria-hidden": "true" }),
        t5("roomFree")
      ] }, `free${i4}`))
    ] }),
    others > 0 && !room.names_hidden && /* @__PURE__ */ a4("p", { class: "note", children: t5(room.fill === "model" ? "roomFill_model" : "roomFill_bot", { n: others }) }),
    waiting > 0 && /* @__PURE__ */ a4("p", { class: "note", children: t5("roomQueueN", { n: waiting }) }),
    (room.watching ?? 0) > 0 && /* @__PURE__ */ a4("p", { class: "note", children: t5("roomWatchers", { n: room.watching ?? 0 }) })
  ] });
}
function Join({ room, act }) {
  const name = useSignal(kept("name") ?? "");
  const busy = useSignal(false);
  const waits = freeSeats(room) === 0 || room.state === "playing";
  return /* @__PURE__ */ a4("form", { class: "join", onSubmit: (event) => {
    event.preventDefault();
    if (busy.value) return;
    keep("name", name.value.trim());
    busy.value = true;
    void act("join", { name: name.value.trim() }).finally(() => {
      busy.value = false;
    });
  }, children: [
    /* @__PURE__ */ a4("label", { for: "guestname", children: t5("roomName") }),
    /* @__PURE__ */ a4(
      "input",
      {
        id: "guestname",
        class: "field",
        value: name.value,
        maxLength: 32,
        autocomplete: "nickname",
        enterkeyhint: "go",
        placeholder: t5("roomNameHint"),
        onInput: (event) => {
          name.value = event.currentTarget.value;
        }
      }
    ),
    waits && /* @__PURE__ */ a4("p", { class: "note", children: t5("roomFull") }),
    /* @__PURE__ */ a4("button", { type: "submit", class: "button strong wide", disabled: busy.value, children: t5(waits ? "roomQueueUp" : "roomJoin") })
  ] });
}
function Yours({ room, act }) {
  const you = room.you;
  if (!you || you.place === "none" && !you.playing) return /* @__PURE__ */ a4(Join, { room, act });
  const name = shown(you.name);
  const waits = you.place === "queue" && !you.playing;
  return /* @__PURE__ */ a4("div", { class: "join", children: [
    /* @__PURE__ */ a4("p", { class: "big", role: "status", children: waits ? t5("roomYouWait", { n: (you.before ?? 0) + 1, name }) : t5("roomYouSit", { name }) }),
    !waits && /* @__PURE__ */ a4("a", { class: "button strong wide", href: `${base}seat`, children: t5("roomToSeat") }),
    /* @__PURE__ */ a4("button", { type: "button", class: "button wide", onClick: () => void act("leave", {}), children: t5("roomLeave") })
  ] });
}
async function copyLink(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t5("roomCopied"));
  } catch {
    toast(text);
  }
}
var Facts = ({ room }) => /* @__PURE__ */ a4("p", { class: "facts", children: [
  /* @__PURE__ */ a4("span", { class: `pill state-${room.state}`, children: t5(`roomState_${room.state}`) }),
  /* @__PURE__ */ a4("span", { children: [
    divisionWord(room.division),
    " · ",
    /* @__PURE__ */ a4("bdi", { children: shown(room.rules) }),
    " · ",
    t5("playersN", { n: room.players })
  ] }),
  room.division !== "protocol" && room.language && /* @__PURE__ */ a4("span", { children: t5("roomPlayLang", { lang: t5(room.language === "ja" ? "langja" : "langen") }) }),
  (room.delay_ms ?? 0) > 0 && /* @__PURE__ */ a4("span", { children: t5("roomDelay", { time: spanText(room.delay_ms ?? 0) }) }),
  room.names_hidden && /* @__PURE__ */ a4("span", { children: t5("roomNamesHidden") })
] });
function Body({ room, loaded }) {
  const act = async (what, body) => {
    try {
      const answer = await post(`rooms/${encodeURIComponent(room.code)}/${what}`, body);
      if (answer && answer.code) loaded.value.value = answer;
      else loaded.again();
      feed.renew();
    } catch (error) {
      toast(asTrouble(error).message, true);
      loaded.again();
    }
  };
  return /* @__PURE__ */ a4("div", { class: "room", children: [
    /* @__PURE__ */ a4("div", { class: "room-main", children: [
      /* @__PURE__ */ a4(Facts, { room }),
      /* @__PURE__ */ a4(When2, { room }),
      /* @__PURE__ */ a4(Yours, { room, act }),
      room.game !== void 0 && /* @__PURE__ */ a4("a", { class: "button wide", href: gamePath(room.game), children: t5("roomWatch") }),
      /* @__PURE__ */ a4(Guests, { room }),
      operatorSecret() && /* @__PURE__ */ a4(RoomActs, { room, changed: loaded.again })
    ] }),
    /* @__PURE__ */ a4("figure", { class: "room-code", children: [
      /* @__PURE__ */ a4(Qr, { text: roomUrl(room), label: t5("roomQrLabel", { url: roomUrl(room) }) }),
      /* @__PURE__ */ a4("figcaption", { children: [
        /* @__PURE__ */ a4("strong", { children: t5("roomScan") }),
        /* @__PURE__ */ a4("span", { class: "room-url", children: roomUrl(room) }),
        /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => void copyLink(roomUrl(room)), children: t5("roomCopy") })
      ] })
    ] })
  ] });
}
function RoomPage({ id }) {
  const loaded = useLoaded(`rooms/${encodeURIComponent(id)}`);
  const there = loaded.value.value !== null;
  A2(() => {
    if (!there) return;
    const deaf = feed.onMessage((message) => {
      if (message.type !== "room" || message.code !== id) return;
      const before = loaded.value.value;
      const { type: _4, ...changed } = message;
      if (before) loaded.value.value = mergedRoom(before, changed);
    });
    const leave = feed.follow({ type: "watch", room: id });
    return () => {
      deaf();
      leave();
    };
  }, [id, there]);
  useEach(1e4, loaded.again);
  const room = loaded.value.value;
  const playing = room ? room.you?.playing === true : void 0;
  const played = T2(playing);
  A2(() => {
    if (played.current === false && playing) location.assign(`${base}seat`);
    played.current = playing ?? played.current;
  }, [playing]);
  return /* @__PURE__ */ a4(Frame, { title: room?.title || id, children: room ? /* @__PURE__ */ a4(Body, { room, loaded }) : loaded.trouble.value ? /* @__PURE__ */ a4(Trouble, { trouble: loaded.trouble.value, again: loaded.again }) : /* @__PURE__ */ a4(Loading, {}) });
}

// src/marked.ts
function markedParts(text, words2) {
  const lower = text.toLowerCase();
  const marks = [];
  if (lower.length === text.length)
    for (const word of words2) {
      const wanted = word.toLowerCase();
      for (let at3 = lower.indexOf(wanted); wanted && at3 >= 0; at3 = lower.indexOf(wanted, at3 + wanted.length)) marks.push([at3, at3 + wanted.length]);
    }
  marks.sort((a5, b3) => a5[0] - b3[0]);
  const parts = [];
  let at2 = 0;
  for (const [from, to] of marks) {
    if (to <= at2) continue;
    if (from > at2) parts.push({ text: text.slice(at2, from), hit: false });
    parts.push({ text: text.slice(Math.max(from, at2), to), hit: true });
    at2 = to;
  }
  if (at2 < text.length) parts.push({ text: text.slice(at2), hit: false });
  return parts;
}

// src/protocol_builder.ts
var ROLES = ["VILLAGER", "SEER", "MEDIUM", "BODYGUARD", "WEREWOLF", "POSSESSED"];
var SPECIES = ["HUMAN", "WEREWOLF"];
var emptyDraft = { frame: "plain", said: {} };
function wordsOf(verb) {
  if (verb === "COMINGOUT" || verb === "ESTIMATE") return ROLES;
  return verb === "DIVINED" || verb === "IDENTIFIED" ? SPECIES : [];
}
var wantsRef = (verb) => verb === "AGREE" || verb === "DISAGREE";
function verbsFor(whisper) {
  const all = ["VOTE", "ESTIMATE", "COMINGOUT", "DIVINED", "IDENTIFIED", "GUARDED", "AGREE", "DISAGREE", "DIVINATION", "GUARD", "VOTED"];
  return whisper ? ["ATTACK", ...all, "ATTACKED"] : [...all, "ATTACKED"];
}
function clauseStep(clause) {
  if (!clause.verb) return "verb";
  if (wantsRef(clause.verb)) return clause.ref ? "done" : "ref";
  if (clause.target === void 0) return "target";
  return wordsOf(clause.verb).length > 0 && clause.word === void 0 ? "word" : "done";
}
function nextStep(draft) {
  if ((draft.frame === "request" || draft.frame === "inquire") && draft.whom === void 0) return "whom";
  if (draft.frame === "because") {
    const step = clauseStep(draft.reason ?? {});
    if (step !== "done") return `reason.${step}`;
  }
  return clauseStep(draft.said);
}
function choose(draft, choice2) {
  const step = nextStep(draft);
  if (step === "done") return draft;
  if (step === "whom") return { ...draft, whom: choice2 };
  const [part, name] = step.startsWith("reason.") ? ["reason", step.slice(7)] : ["said", step];
  const clause = { ...part === "reason" ? draft.reason : draft.said, [name]: choice2 };
  return part === "reason" ? { ...draft, reason: clause } : { ...draft, said: clause };
}
function back(draft) {
  const said = withoutLast(draft.said);
  if (said) return { ...draft, said };
  const reason = draft.frame === "because" ? withoutLast(draft.reason ?? {}) : void 0;
  if (reason) return { ...draft, reason };
  if (draft.whom !== void 0) return { frame: draft.frame, said: {} };
  return { frame: "plain", said: {} };
}
function withoutLast(clause) {
  const { verb, target } = clause;
  if (!verb) return void 0;
  if (clause.word !== void 0 && target !== void 0) return { verb, target };
  return target !== void 0 || clause.ref ? { verb } : {};
}
var agentName = (target) => target === "ANY" ? "ANY" : `Agent[${String(target).padStart(2, "0")}]`;
function clauseText(clause) {
  if (clause.ref) return `${clause.verb} ${clause.ref.where} day${clause.ref.day} ID:${clause.ref.idx}`;
  const head = `${clause.verb} ${agentName(clause.target ?? "ANY")}`;
  return clause.word === void 0 ? head : `${head} ${clause.word}`;
}
function draftText(draft) {
  if (nextStep(draft) !== "done") return void 0;
  const said = clauseText(draft.said);
  switch (draft.frame) {
    case "plain":
      return said;
    case "not":
      return `NOT (${said})`;
    case "request":
      return `REQUEST ${agentName(draft.whom)} (${said})`;
    case "inquire":
      return `INQUIRE ${agentName(draft.whom)} (${said})`;
    case "because":
      return `BECAUSE (${clauseText(draft.reason)}) (${said})`;
  }
}
var QUICK_MAX = 12;
function ownResults(known3) {
  const keys = { DIVINED: "sayDivined", IDENTIFIED: "sayIdentified", GUARDED: "sayGuarded" };
  return known3.results.slice(-3).reverse().map((result) => ({
    text: clauseText({ verb: result.verb, target: result.target, ...result.species ? { word: result.species } : {} }),
    key: keys[result.verb],
    seat: result.target,
    ...result.species ? { word: result.species } : {}
  }));
}
var iAm = (known3, role) => ({ text: `COMINGOUT ${agentName(known3.me)} ${role}`, key: "sayIAm", word: role });
function ofRole(known3, about2) {
  const { role, about: seat } = known3;
  const made = ownResults(known3);
  if (role === "SEER" || role === "MEDIUM" || role === "BODYGUARD") return [iAm(known3, role), ...made];
  if (role !== "WEREWOLF" && role !== "POSSESSED") return [iAm(known3, "VILLAGER")];
  const claims = [iAm(known3, "SEER"), iAm(known3, "MEDIUM")];
  if (!seat) return claims;
  return [
    ...claims,
    { text: `DIVINED ${about2} WEREWOLF`, key: "sayDivined", seat, word: "WEREWOLF" },
    { text: `DIVINED ${about2} HUMAN`, key: "sayDivined", seat, word: "HUMAN" }
  ];
}
function inWhisper(known3, about2) {
  const seat = known3.about;
  const plans = [iAm(known3, "SEER"), iAm(known3, "MEDIUM"), iAm(known3, "VILLAGER")];
  if (!seat) return plans;
  return [
    { text: `ATTACK ${about2}`, key: "sayAttack", seat },
    { text: `REQUEST ANY (ATTACK ${about2})`, key: "sayAllAttack", seat },
    { text: `ESTIMATE ${about2} SEER`, key: "sayIs", seat, word: "SEER" },
    { text: `ESTIMATE ${about2} MEDIUM`, key: "sayIs", seat, word: "MEDIUM" },
    { text: `ESTIMATE ${about2} BODYGUARD`, key: "sayIs", seat, word: "BODYGUARD" },
    { text: `ESTIMATE ${about2} POSSESSED`, key: "sayIs", seat, word: "POSSESSED" },
    { text: `VOTE ${about2}`, key: "sayVote", seat },
    { text: `REQUEST ANY (VOTE ${about2})`, key: "sayAllVote", seat },
    ...plans
  ];
}
function quickSentences(known3) {
  const { about: seat, me } = known3;
  const about2 = agentName(seat);
  if (known3.whisper) return inWhisper(known3, about2).slice(0, QUICK_MAX);
  const own = ofRole(known3, about2);
  const ask2 = { text: "INQUIRE ANY (COMINGOUT ANY SEER)", key: "sayWhoIsSeer" };
  if (!seat || seat === me) return [...own, ask2].slice(0, QUICK_MAX);
  return [
    ...own,
    { text: `VOTE ${about2}`, key: "sayVote", seat },
    { text: `ESTIMATE ${about2} WEREWOLF`, key: "sayIs", seat, word: "WEREWOLF" },
    { text: `REQUEST ANY (VOTE ${about2})`, key: "sayAllVote", seat },
    { text: `BECAUSE (ESTIMATE ${about2} WEREWOLF) (VOTE ${about2})`, key: "sayWhyVote", seat },
    { text: `NOT (ESTIMATE ${about2} WEREWOLF)`, key: "sayNotWolf", seat },
    { text: `ESTIMATE ${about2} POSSESSED`, key: "sayIs", seat, word: "POSSESSED" },
    { text: `REQUEST ANY (DIVINATION ${about2})`, key: "sayDivineThem", seat },
    { text: `INQUIRE ${about2} (COMINGOUT ${about2} ANY)`, key: "sayWhoAreYou", seat },
    { text: `REQUEST ANY (GUARD ${about2})`, key: "sayGuardThem", seat },
    ask2
  ].slice(0, QUICK_MAX);
}

// src/pages/Search.tsx
var filters = ["contest", "team", "role", "day"];
var HitRow = ({ hit, words: words2 }) => /* @__PURE__ */ a4("li", { class: "item hit", children: /* @__PURE__ */ a4("a", { class: "item-main", href: `${gamePath(hit.game)}${hit.a ? `#at=${encodeURIComponent(hit.a)}` : ""}`, children: [
  /* @__PURE__ */ a4("span", { class: "hit-text", children: [
    hit.seat !== void 0 && /* @__PURE__ */ a4(Chip, { seat: hit.seat }),
    " ",
    hit.name !== void 0 && /* @__PURE__ */ a4("bdi", { class: "name", children: shown(hit.name) }),
    " ",
    /* @__PURE__ */ a4("bdi", { children: markedParts(shown(hit.text), words2).map((part, i4) => part.hit ? /* @__PURE__ */ a4("mark", { children: part.text }, i4) : part.text) })
  ] }),
  /* @__PURE__ */ a4("span", { class: "note", children: [
    /* @__PURE__ */ a4("bdi", { children: shown(hit.game) }),
    hit.day !== void 0 && /* @__PURE__ */ a4($, { children: [
      " · ",
      t5("dayN", { n: hit.day })
    ] })
  ] })
] }) });
function Filters({ asked: asked2 }) {
  const open = filters.some((name) => asked2.get(name));
  const field = (name, word) => /* @__PURE__ */ a4("label", { class: "labelled", children: [
    t5(word),
    /* @__PURE__ */ a4("input", { class: "field", name, defaultValue: asked2.get(name) ?? "", autocomplete: "off" })
  ] });
  return /* @__PURE__ */ a4("details", { class: "filters", open, children: [
    /* @__PURE__ */ a4("summary", { class: "button quiet", children: t5("moreThings") }),
    /* @__PURE__ */ a4("div", { class: "fields", children: [
      field("contest", "filterContest"),
      field("team", "filterTeam"),
      /* @__PURE__ */ a4("label", { class: "labelled", children: [
        t5("filterRole"),
        /* @__PURE__ */ a4("select", { class: "field", name: "role", children: [
          /* @__PURE__ */ a4("option", { value: "", children: t5("filterAny") }),
          [...ROLES, "FREEMASON", "FOX"].map((role) => /* @__PURE__ */ a4("option", { value: role, selected: asked2.get("role") === role, children: t5(`role_${role}`) }, role))
        ] })
      ] }),
      /* @__PURE__ */ a4("label", { class: "labelled", children: [
        t5("filterDay"),
        /* @__PURE__ */ a4("input", { class: "field", name: "day", type: "number", min: 0, max: 99, defaultValue: asked2.get("day") ?? "" })
      ] })
    ] })
  ] });
}
function Hits({ asked: asked2 }) {
  const data = useSignal(null);
  const trouble = useSignal(null);
  const q3 = (asked2.get("q") ?? "").trim();
  const load = (after) => {
    const query = new URLSearchParams(asked2);
    if (after !== void 0) query.set("after", after);
    get(`search?${query}`).then(
      (answer) => {
        data.value = after !== void 0 && data.value ? { ...answer, hits: [...data.value.hits, ...answer.hits] } : answer;
        trouble.value = null;
      },
      (error) => {
        trouble.value = asTrouble(error);
      }
    );
  };
  A2(() => load(), []);
  if (trouble.value) return /* @__PURE__ */ a4(Trouble, { trouble: trouble.value, again: () => load() });
  const found2 = data.value;
  if (!found2) return /* @__PURE__ */ a4(Loading, {});
  if (found2.hits.length === 0) return /* @__PURE__ */ a4(Empty, { title: t5("searchNothing", { q: shown(q3) }), children: found2.building && /* @__PURE__ */ a4("p", { children: t5("searchBuilding") }) });
  const words2 = q3.split(/\s+/).filter((word) => word !== "");
  return /* @__PURE__ */ a4("section", { class: "block", style: hues(18), children: [
    /* @__PURE__ */ a4("p", { class: "note", role: "status", children: [
      t5(found2.more ? "searchHitsMore" : "searchHits", { n: found2.total ?? found2.hits.length }),
      found2.building && /* @__PURE__ */ a4($, { children: [
        " · ",
        t5("searchBuilding")
      ] })
    ] }),
    /* @__PURE__ */ a4("ul", { class: "items panel", children: found2.hits.map((hit, i4) => /* @__PURE__ */ a4(HitRow, { hit, words: words2 }, `${hit.game} ${hit.a ?? ""} ${i4}`)) }),
    found2.next !== void 0 && /* @__PURE__ */ a4("p", { class: "after", children: /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => load(found2.next), children: t5("searchMore") }) })
  ] });
}
function Search(_4) {
  const asked2 = new URLSearchParams(location.search);
  for (const [name, value] of [...asked2]) if (value === "") asked2.delete(name);
  const q3 = (asked2.get("q") ?? "").trim();
  return /* @__PURE__ */ a4(Frame, { title: q3 ? `${q3} · ${t5("searchTitle")}` : t5("searchTitle"), heading: t5("searchTitle"), children: [
    /* @__PURE__ */ a4("search", { children: /* @__PURE__ */ a4("form", { class: "searchform", action: `${base}search`, method: "get", children: [
      /* @__PURE__ */ a4("label", { class: "unseen", for: "q", children: t5("searchLabel") }),
      /* @__PURE__ */ a4("input", { id: "q", class: "field", type: "search", name: "q", defaultValue: q3, placeholder: t5("searchLabel"), autocomplete: "off", enterkeyhint: "search" }),
      /* @__PURE__ */ a4("button", { type: "submit", class: "button strong", children: t5("searchButton") }),
      /* @__PURE__ */ a4(Filters, { asked: asked2 })
    ] }) }),
    q3 !== "" && ([...q3].length < 2 ? /* @__PURE__ */ a4("p", { class: "note", children: t5("searchShort") }) : /* @__PURE__ */ a4(Hits, { asked: asked2 }))
  ] });
}

// src/rows.ts
var kinds2 = {
  day: "head",
  night: "head",
  talk: "talk",
  whisper: "talk",
  vote: "ballot",
  attack_vote: "ballot",
  execute: "death",
  death: "death",
  divine: "deed",
  identify: "deed",
  guard: "deed",
  attack: "deed",
  fault: "fault",
  notice: "notice",
  standing: "standing",
  role: "roles",
  reveal: "roles",
  score: "score",
  end: "end"
};
var kindOf = (event) => event.quiet ? "quiet" : kinds2[event.kind] ?? "unknown";
function goesOn(row, event, doc) {
  const before = doc.events[row.last];
  if (!before || row.kind !== kindOf(event)) return false;
  switch (row.kind) {
    case "quiet":
      for (let n3 = row.first; n3 <= row.last; n3++) if (doc.events[n3]?.seat === event.seat) return false;
      return before.kind === event.kind && before.room === event.room;
    case "ballot":
      return before.kind === event.kind && before.day === event.day && (before.round ?? 0) === (event.round ?? 0);
    case "roles":
      return before.kind === event.kind;
    case "score":
    case "unknown":
      return true;
    default:
      return false;
  }
}
function growRows(rows, course2) {
  const { doc } = course2;
  let row = rows[rows.length - 1];
  let day = row ? row.day : -1;
  let night = row ? row.night : false;
  for (let n3 = row ? Math.max(row.last + 1, row.first) : 0; n3 < doc.events.length; n3++) {
    const event = doc.events[n3];
    const phase = doc.phases[course2.phaseIndex(n3)];
    const nowNight = event.kind === "night" ? true : event.kind === "day" ? false : phase ? phase.night : night;
    const isHead = event.kind === "day" || event.kind === "night";
    if (!isHead && (nowNight !== night || event.day !== day) && event.kind !== "end")
      rows.push({ kind: "head", first: n3, last: n3 - 1, day: event.day, night: nowNight });
    day = event.day;
    night = nowNight;
    row = rows[rows.length - 1];
    if (row && row.last === n3 - 1 && goesOn(row, event, doc)) row.last = n3;
    else rows.push({ kind: kindOf(event), first: n3, last: n3, day, night });
  }
}
function rowAt(rows, n3) {
  let low2 = 0;
  let high2 = rows.length;
  while (low2 < high2) {
    const middle = low2 + high2 >> 1;
    if (rows[middle].first <= n3) low2 = middle + 1;
    else high2 = middle;
  }
  return low2 - 1;
}

// src/model.ts
var keptEach = 256;
var isArrowVote = (kind) => kind === "vote" || kind === "attack_vote" || kind === "standing";
function copyOf(table2) {
  return {
    ...table2,
    seats: table2.seats.map((seat) => ({ ...seat })),
    arrows: table2.arrows.slice(),
    standing: table2.standing.slice()
  };
}
function firstTable(doc, count) {
  const seats = [];
  for (let seat = 0; seat <= count; seat++)
    seats.push({ alive: seat > 0, cause: "", diedDay: 0, diedAt: -1, role: null, claim: null, claimAt: -1 });
  for (const seat of doc.seats) {
    const state = seats[seat.seat];
    if (state) state.role = seat.role ?? null;
  }
  return {
    n: -1,
    day: doc.phases[0]?.day ?? doc.events[0]?.day ?? 0,
    night: false,
    action: "dawn",
    seats,
    alive: doc.seats.length,
    talk: null,
    silent: 0,
    arrows: [],
    standing: seats.map(() => 0),
    attacked: 0,
    faulty: 0,
    winner: null
  };
}
function addArrow(table2, arrow) {
  const same = table2.arrows.findIndex((each) => each.kind === arrow.kind && each.from === arrow.from && isArrowVote(each.kind));
  if (same >= 0) table2.arrows.splice(same, 1);
  table2.arrows.push(arrow);
}
function addVote(table2, event, before) {
  const kind = event.kind;
  const sameBallot = before !== void 0 && before.kind === kind && before.day === event.day && (before.round ?? 0) === (event.round ?? 0);
  if (!sameBallot) table2.arrows = kind === "vote" ? [] : table2.arrows.filter((each) => each.kind !== "attack_vote");
  if (event.seat && event.target) addArrow(table2, { from: event.seat, to: event.target, kind, n: event.n });
}
function kill(table2, event, cause) {
  const state = table2.seats[event.seat ?? event.target ?? 0];
  if (!state || !state.alive) return;
  state.alive = false;
  state.cause = cause;
  state.diedDay = event.day;
  state.diedAt = event.n;
  table2.alive--;
}
function setRole(table2, event) {
  const state = table2.seats[event.seat ?? 0];
  if (state && event.role) state.role = event.role;
}
function heard(table2, event) {
  if (event.quiet) {
    table2.silent = event.seat ?? 0;
    if (!table2.night) table2.arrows = [];
    return;
  }
  table2.talk = event;
  if (!table2.night) table2.arrows = [];
  for (const says of event.says ?? []) {
    const state = table2.seats[event.seat ?? 0];
    if (says.kind !== "COMINGOUT" || !state || !says.role || (says.target ?? event.seat) !== event.seat) continue;
    state.claim = says.role;
    state.claimAt = event.n;
  }
}
function apply(table2, event, before) {
  table2.n = event.n;
  table2.silent = 0;
  table2.faulty = 0;
  if (event.kind !== "fault" && event.kind !== "notice" && event.kind !== "talk" && event.kind !== "whisper") table2.talk = null;
  switch (event.kind) {
    case "day":
    case "night":
      table2.arrows = [];
      table2.attacked = 0;
      table2.standing.fill(0);
      break;
    case "talk":
    case "whisper":
      heard(table2, event);
      break;
    case "vote":
    case "attack_vote":
      addVote(table2, event, before);
      break;
    case "standing":
      if (event.seat) table2.standing[event.seat] = event.target ?? 0;
      table2.arrows = table2.standing.flatMap((to, from) => to > 0 ? [{ from, to, kind: "standing", n: event.n }] : []);
      break;
    case "divine":
    case "guard":
    case "identify":
      if (!table2.arrows.every((each) => each.kind !== "vote")) table2.arrows = [];
      if (event.seat && event.target) addArrow(table2, { from: event.seat, to: event.target, kind: event.kind, n: event.n });
      break;
    case "attack":
      table2.attacked = event.target ?? 0;
      break;
    case "execute":
      kill(table2, event, "executed");
      break;
    case "death":
      kill(table2, event, event.cause ?? "attacked");
      break;
    case "role":
    case "reveal":
      setRole(table2, event);
      break;
    case "fault":
      table2.faulty = event.seat ?? 0;
      break;
    case "end":
      table2.arrows = [];
      table2.winner = event.winner ?? "NONE";
      break;
    default:
      break;
  }
}
var Course = class {
  constructor(doc) {
    this.doc = doc;
    this.seatCount = Math.max(doc.rules.players, ...doc.seats.map((seat) => seat.seat));
    for (const seat of doc.seats) this.names[seat.seat] = seat.name;
    doc.events.forEach((event, n3) => this.byAnchor.set(event.a, n3));
  }
  doc;
  kept = [];
  byAnchor = /* @__PURE__ */ new Map();
  seatCount;
  names = [];
  /** How many events there are. */
  get length() {
    return this.doc.events.length;
  }
  event(n3) {
    return this.doc.events[n3];
  }
  /** What came from the feed. False when it doesn't follow on what is there: fetch the document anew. */
  append(events, phases, seats) {
    if (events.length > 0 && events[0]?.n !== this.length) return false;
    for (const event of events) {
      this.byAnchor.set(event.a, this.length);
      this.doc.events.push(event);
    }
    this.doc.phases.push(...phases);
    for (const seat of seats) {
      const at2 = this.doc.seats.findIndex((each) => each.seat === seat.seat);
      if (at2 >= 0) this.doc.seats[at2] = seat;
      this.names[seat.seat] = seat.name;
    }
    return true;
  }
  /** Index of the phase in which event `n` lies, -1 before the first. */
  phaseIndex(n3) {
    const phases = this.doc.phases;
    let low2 = 0;
    let high2 = phases.length;
    while (low2 < high2) {
      const middle = low2 + high2 >> 1;
      if (phases[middle].first <= n3) low2 = middle + 1;
      else high2 = middle;
    }
    return low2 - 1;
  }
  step(table2, n3) {
    const event = this.doc.events[n3];
    if (!event) return;
    const phase = this.doc.phases[this.phaseIndex(n3)];
    const night = phase ? phase.night : event.kind === "night" ? true : event.kind === "day" ? false : table2.night;
    if (night !== table2.night && event.kind !== "day" && event.kind !== "night") table2.arrows = [];
    table2.night = night;
    table2.day = event.day;
    table2.action = phase?.action ?? "dawn";
    apply(table2, event, this.doc.events[n3 - 1]);
    table2.n = n3;
  }
  keptAt(index) {
    if (this.kept.length === 0) this.kept.push(firstTable(this.doc, this.seatCount));
    while (this.kept.length <= index) {
      const table2 = copyOf(this.kept[this.kept.length - 1]);
      const end = this.kept.length * keptEach;
      for (let n3 = end - keptEach; n3 < end; n3++) this.step(table2, n3);
      this.kept.push(table2);
    }
    return this.kept[index];
  }
  /** The table when event `n` has just happened. The caller's own; -1 = before the first event. */
  tableAt(n3) {
    const last = Math.min(n3, this.length - 1);
    const index = Math.floor((last + 1) / keptEach);
    const table2 = copyOf(this.keptAt(index));
    for (let each = index * keptEach; each <= last; each++) this.step(table2, each);
    return table2;
  }
  /** The event of exactly this anchor. */
  anchor(anchor) {
    return this.byAnchor.get(anchor);
  }
  /** The event that an anchor means; an unknown one means the nearest earlier day. */
  at(anchor) {
    const exact = this.byAnchor.get(anchor);
    if (exact !== void 0) return exact;
    const day = /^d(\d+)(n?)/.exec(anchor);
    if (!day) return 0;
    for (let number = Number(day[1]); number >= 0; number--) {
      const found2 = this.byAnchor.get(`d${number}`);
      if (found2 !== void 0) return found2;
    }
    return 0;
  }
  /** The next event of the same seat's talk in a direction, or -1. */
  sameSeat(n3, step) {
    const seat = this.doc.events[n3]?.seat;
    if (!seat) return -1;
    for (let at2 = n3 + step; at2 >= 0 && at2 < this.length; at2 += step) {
      const event = this.doc.events[at2];
      if (event.seat === seat && (event.kind === "talk" || event.kind === "whisper") && !event.quiet) return at2;
    }
    return -1;
  }
  /** Where the day before or after begins; the ends of the game without one. */
  otherDay(n3, step) {
    const starts = this.dayStarts();
    if (step > 0) return starts.find((first) => first > n3) ?? this.length - 1;
    return starts.filter((first) => first < n3).pop() ?? 0;
  }
  dayStarts() {
    const starts = [];
    let day = -1;
    this.doc.events.forEach((event, n3) => {
      if (event.day === day) return;
      day = event.day;
      starts.push(n3);
    });
    return starts;
  }
};
function tally(votes) {
  const byTarget = /* @__PURE__ */ new Map();
  for (const vote of votes) {
    const voters = byTarget.get(vote.to);
    if (voters) voters.push(vote.from);
    else byTarget.set(vote.to, [vote.from]);
  }
  const most = Math.max(0, ...[...byTarget.values()].map((voters) => voters.length));
  return [...byTarget].map(([target, voters]) => ({ target, voters: voters.sort((a5, b3) => a5 - b3), top: voters.length === most })).sort((a5, b3) => b3.voters.length - a5.voters.length || a5.target - b3.target);
}

// src/parts/RoleSign.tsx
var paths = {
  VILLAGER: "M12 5.200 4.500 11.600h2V18.500h4v-4.400h3v4.400h4v-6.900h2z",
  SEER: "M12 6.800c4 0 6.900 2.700 8.500 5.200-1.600 2.500-4.500 5.200-8.500 5.200S5.100 14.500 3.500 12C5.100 9.500 8 6.800 12 6.800zm0 1.700a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zm0 1.800a1.700 1.700 0 1 1 0 3.400 1.700 1.700 0 0 1 0-3.400z",
  MEDIUM: "M12.600 3.800c.5 3 4.900 5.200 4.900 9.900 0 3.300-2.400 5.700-5.500 5.700s-5.500-2.400-5.500-5.600c0-2.300 1.200-3.800 2.300-5 .1 1.300.6 2.100 1.400 2.600-.3-2.800.6-5.700 2.400-7.600zM12 12.600c-1.300 1.200-2.100 2.100-2.100 3.300 0 1.200.9 2 2.100 2s2.100-.8 2.100-2c0-1.200-.8-2.100-2.100-3.300z",
  BODYGUARD: "M12 4.300 18.300 6.400v5c0 4-2.600 6.800-6.300 8.400-3.700-1.600-6.300-4.400-6.300-8.400v-5zM12 6.300v11.400c2.600-1.400 4.400-3.400 4.400-6.300V7.800z",
  POSSESSED: "M4 8.600C6.700 7.400 9 7.700 12 8.800c3-1.100 5.300-1.400 8-.2.3 4.300-1.300 7.400-4.300 7.400-1.700 0-2.500-1.300-3.700-1.300S10 16 8.300 16C5.300 16 3.700 12.900 4 8.600zm3 2.600c-.2 1.400.6 2.100 1.700 2.100 1 0 1.600-.5 1.900-1.200C9.500 11.300 8.200 11 7 11.200zm10 0c-1.200-.2-2.500.1-3.600.9.300.7.900 1.200 1.900 1.200 1.100 0 1.900-.7 1.700-2.100z",
  WEREWOLF: "M4.800 4.200 9 7.300q3-1 6 0l4.200-3.100q.9 6.300-1.800 9.300L12 20l-5.400-6.500Q3.900 10.500 4.800 4.200zM8 10.800l2.700 2.300-2.300.5zm8 0-2.700 2.300 2.300.5z",
  FREEMASON: "M12 4.300 20 18.200H4zm0 4.300-4.200 7.500h8.400zm0 3a1.700 1.700 0 1 1 0 3.400 1.700 1.700 0 0 1 0-3.400z",
  FOX: "M3.800 5.200 8.600 8Q12 6.900 15.400 8l4.800-2.800q.3 4.600-1.500 7.200-2.300 3.400-4.600 4.400L12 19.600l-2.100-2.800q-2.300-1-4.600-4.400Q3.500 9.800 3.800 5.200zM8 11.500l2.600 1.300L8.500 13.600zm8 0-2.600 1.300 2.100.8z"
};
var roleWord = (role) => t5(`role_${role}`);
var RoleSign = ({ role, claimed }) => /* @__PURE__ */ a4("svg", { class: `sign r-${role}${claimed ? " claimed" : ""}`, viewBox: "0 0 32 32", role: "img", "aria-label": claimed ? t5("claimsRole", { role: roleWord(role) }) : roleWord(role), children: [
  /* @__PURE__ */ a4("circle", { cx: "16", cy: "16", r: "14.600", class: "ring" }),
  /* @__PURE__ */ a4("path", { d: paths[role], transform: "translate(4 4)", fill: "currentColor", "fill-rule": "evenodd" })
] });
var RoleWord = ({ role }) => /* @__PURE__ */ a4("span", { class: `roleword r-${role}`, children: [
  /* @__PURE__ */ a4("svg", { viewBox: "2 2 20 20", "aria-hidden": "true", children: /* @__PURE__ */ a4("path", { d: paths[role], fill: "currentColor", "fill-rule": "evenodd" }) }),
  roleWord(role)
] });

// src/linked.ts
function wordKind(char) {
  if (char === void 0) return 0;
  if (/[\p{Script=Latin}\p{Nd}_]/u.test(char)) return 1;
  if (/[\p{Script=Katakana}ー]/u.test(char)) return 2;
  return 0;
}
var bounded = (text, at2, length) => {
  const before = wordKind(text[at2 - 1]);
  const after = wordKind(text[at2 + length]);
  return (before === 0 || before !== wordKind(text[at2])) && (after === 0 || after !== wordKind(text[at2 + length - 1]));
};
function linked(text, names2) {
  const order = names2.map((name, seat) => ({ name: name ?? "", seat })).filter((each) => each.name !== "" && each.seat > 0 && text.includes(each.name)).sort((a5, b3) => b3.name.length - a5.name.length || a5.seat - b3.seat);
  if (order.length === 0) return [text];
  const pieces = [];
  let begin = 0;
  for (let at2 = 0; at2 < text.length; ) {
    const found2 = order.find((each) => text.startsWith(each.name, at2) && bounded(text, at2, each.name.length));
    if (!found2) {
      at2++;
      continue;
    }
    const start = at2 > begin && text[at2 - 1] === "@" ? at2 - 1 : at2;
    if (start > begin) pieces.push(text.slice(begin, start));
    at2 += found2.name.length;
    pieces.push({ seat: found2.seat, text: text.slice(start, at2) });
    begin = at2;
  }
  if (begin < text.length) pieces.push(text.slice(begin));
  return pieces;
}

// src/game/Said.tsx
var agentName2 = /Agent\[(\d\d)\]/g;
function withChips(text) {
  return shown(text).split(agentName2).map((part, i4) => i4 % 2 === 0 ? part : /* @__PURE__ */ a4(Chip, { seat: Number(part) }, i4));
}
function withNames(text, names2) {
  return linked(text, names2).map((piece, i4) => typeof piece === "string" ? shown(piece) : /* @__PURE__ */ a4("bdi", { class: `at s${piece.seat}`, children: shown(piece.text) }, i4));
}
function withoutSelf(plain, seat) {
  const self = `Agent[${String(seat).padStart(2, "0")}]`;
  return plain.startsWith(`${self} `) ? plain.slice(self.length + 1) : plain;
}
function saidLang(event, course2) {
  if (course2.doc.lang === "aiwolf") return sentences.value === "plain" && event.plain ? lang.value : "en";
  return course2.doc.lang;
}
function Said({ event, course: course2 }) {
  const text = event.text ?? "";
  if (course2.doc.lang !== "aiwolf") return /* @__PURE__ */ a4($, { children: withNames(text.trim(), course2.names) });
  const plain = event.plain?.[lang.value] ?? event.plain?.["en"];
  if (sentences.value === "plain" && plain) return /* @__PURE__ */ a4("span", { title: shown(text), children: withChips(withoutSelf(plain, event.seat ?? 0)) });
  return /* @__PURE__ */ a4("span", { class: "sentence", children: withChips(text) });
}
function Claim({ says, seat }) {
  const target = says.target ?? 0;
  switch (says.kind) {
    case "COMINGOUT":
      return says.role && (target === 0 || target === seat) ? /* @__PURE__ */ a4("span", { class: `claim r-${says.role}`, children: /* @__PURE__ */ a4(RoleWord, { role: says.role }) }) : null;
    case "DIVINED":
    case "IDENTIFIED":
      return /* @__PURE__ */ a4("span", { class: says.species === "WEREWOLF" ? "claim wolf" : "claim human", children: [
        /* @__PURE__ */ a4(Chip, { seat: target }),
        " ",
        says.species === "WEREWOLF" ? t5("saysWolf") : t5("saysHuman")
      ] });
    case "GUARDED":
      return /* @__PURE__ */ a4("span", { class: "claim r-BODYGUARD", children: [
        /* @__PURE__ */ a4(Chip, { seat: target }),
        " ",
        t5("saysGuarded")
      ] });
    case "ESTIMATE":
      return /* @__PURE__ */ a4("span", { class: "claim guess", children: [
        /* @__PURE__ */ a4(Chip, { seat: target }),
        " ",
        t5("suspects")
      ] });
    default:
      return null;
  }
}
function Claims({ event }) {
  const seen = /* @__PURE__ */ new Set();
  const told2 = (event.says ?? []).filter((says) => {
    const key = `${says.kind}/${says.target}/${says.role}/${says.species}`;
    if (seen.has(key) || says.kind === "ESTIMATE" && sentences.value === "plain") return false;
    seen.add(key);
    return true;
  });
  if (told2.length === 0) return null;
  return /* @__PURE__ */ a4("span", { class: "claims", children: told2.map((says, i4) => /* @__PURE__ */ a4(Claim, { says, seat: event.seat ?? 0 }, i4)) });
}

// src/game/moment.ts
function seatText(course2, seat) {
  if (!seat) return "–";
  const name = course2.names[seat] ?? "";
  return name === "" || isNumberName(name) ? String(seat) : `${seat} ${shown(name)}`;
}
var whenText = (day, night) => night ? t5("dayNight", { day }) : t5("day", { day });
function spokenText(event, plainFirst) {
  const plain = event.plain?.[lang.value] ?? event.plain?.["en"];
  return shown(plainFirst && plain ? plain : event.text ?? "");
}
var requests = ["TALK", "WHISPER", "VOTE", "DIVINE", "GUARD", "ATTACK", "NAME", "ROLE", "INITIALIZE", "DAILY_INITIALIZE", "DAILY_FINISH", "FINISH"];
function faultText(fault) {
  const kind = fault?.kind ?? "";
  const known3 = ["timeout", "disconnect", "malformed", "early", "violation", "fallback", "suppressed"].includes(kind);
  const parts = [known3 ? t5(`fault_${kind}`) : t5("fault_other", { kind: shown(kind) })];
  if (fault?.at) parts.push(t5("faultAt", { at: requests.includes(fault.at) ? t5(`ask_${fault.at}`) : shown(fault.at) }));
  if (fault?.after_ms !== void 0) parts.push(t5("afterTime", { time: durationText(fault.after_ms) }));
  return parts.join(lang.value === "ja" ? "・" : ", ");
}
function durationText(ms) {
  const unit2 = ms >= 1e3 ? "second" : "millisecond";
  const digits = ms >= 1e3 ? 1 : 0;
  return new Intl.NumberFormat(lang.value, { style: "unit", unit: unit2, unitDisplay: "short", maximumFractionDigits: digits }).format(ms >= 1e3 ? ms / 1e3 : ms);
}
var resultText = (species) => species === "WEREWOLF" ? t5("resultWolf") : species === "HUMAN" ? t5("resultHuman") : t5("resultNone");
function momentSentence(course2, event, plainFirst) {
  const who2 = seatText(course2, event.seat);
  const target = seatText(course2, event.target);
  switch (event.kind) {
    case "day":
      return t5("day", { day: event.day });
    case "night":
      return t5("dayNight", { day: event.day });
    case "talk":
    case "whisper":
      return event.quiet ? `${who2} ${t5("isSilent")}` : t5("speaks", { who: who2, text: spokenText(event, plainFirst) });
    case "standing":
      return event.target ? t5("stands", { who: who2, target }) : t5("standsBack", { who: who2 });
    case "vote":
    case "attack_vote":
      return `${t5(event.kind === "vote" ? "ballot" : "attackBallot")}: ${who2} → ${target}`;
    case "execute":
      return t5("executed", { who: who2 });
    case "death":
      return t5(`died_${event.cause === "cursed" || event.cause === "left" ? event.cause : "attacked"}`, { who: who2 });
    case "divine":
      return event.target ? t5("divines", { who: who2, target, result: resultText(event.species) }) : t5("divinesNobody", { who: who2 });
    case "identify":
      return t5("identifies", { who: who2, target, result: resultText(event.species) });
    case "guard":
      return event.target ? t5("guards", { who: who2, target }) : t5("guardsNobody", { who: who2 });
    case "attack":
      return event.target ? t5(event.killed === false ? "attackFails" : "attacks", { target }) : t5("attacksNobody");
    case "role":
    case "reveal":
      return t5("learnsRole", { who: who2, role: event.role ? roleWord(event.role) : "?" });
    case "score":
      return `${who2}: ${event.points ?? 0}`;
    case "fault":
      return `${who2}: ${faultText(event.fault)}`;
    case "notice":
      return shown(event.text ?? "");
    case "end":
      return t5(`won_${event.winner ?? "NONE"}`);
    default:
      return t5("unknownKind", { n: 1 });
  }
}
var isBallot = (event) => event?.kind === "vote" || event?.kind === "attack_vote";
function sliderText(course2, table2) {
  const event = course2.event(table2.n);
  const when = whenText(table2.day, table2.night);
  if (!event) return when;
  if (!isBallot(event)) return event.kind === "day" || event.kind === "night" ? when : `${when}, ${momentSentence(course2, event, true)}`.slice(0, 240);
  const top = tally(table2.arrows.filter((arrow) => arrow.kind === event.kind))[0];
  const count = top ? t5("votesFor", { n: top.voters.length, who: seatText(course2, top.target) }) : t5("noVotes");
  return `${when}, ${t5(event.kind === "vote" ? "ballot" : "attackBallot")}, ${count}`;
}
function tableSentence(course2, table2) {
  const parts = [t5("sentence", { when: whenText(table2.day, table2.night), alive: t5("alive", { n: table2.alive }) })];
  const event = course2.event(table2.n);
  if (table2.winner) parts.push(t5(`won_${table2.winner}`));
  else if (isBallot(event) || event?.kind === "execute")
    for (const count of tally(table2.arrows.filter((arrow) => arrow.kind === (event?.kind === "attack_vote" ? "attack_vote" : "vote"))))
      parts.push(t5("votesFor", { n: count.voters.length, who: seatText(course2, count.target) }));
  else if (event && event.kind !== "day" && event.kind !== "night") parts.push(momentSentence(course2, event, true));
  return parts.join(" ");
}

// src/game/LogRows.tsx
var iconPaths = {
  execute: "M5 5l10 10M15 5L5 15",
  moon: "M14.500 12.500A6 6 0 0 1 8 4a6.300 6.300 0 1 0 6.500 8.500z",
  vote: "M6 4l8 6-8 6z",
  clock: "M10 3.500a6.500 6.500 0 1 0 .01 0zM10 6.500V10.300L12.500 12",
  eye: "M2.500 10C5 6 7.500 5 10 5s5 1 7.500 5C15 14 12.500 15 10 15s-5-1-7.500-5zM10 7.800a2.200 2.200 0 1 0 .01 0z",
  shield: "M10 3l5.500 2v4.500c0 3.500-2.300 5.800-5.500 7.500-3.200-1.700-5.500-4-5.500-7.500V5z",
  claw: "M5 4q2 6 1 12M10 3.500q2 6.500 1 13M15 4q2 6 1 12",
  flag: "M5.500 17V3.500M5.500 4.500h9l-2 3 2 3h-9",
  info: "M10 9v5M10 6.200v.1",
  hand: "M4 10h9M9.500 6l4 4-4 4"
};
var RowIcon = ({ name }) => /* @__PURE__ */ a4("svg", { class: `rowicon ${name}`, viewBox: "0 0 20 20", "aria-hidden": "true", children: /* @__PURE__ */ a4("path", { d: iconPaths[name] }) });
var who = (course2, seat) => seat ? /* @__PURE__ */ a4(Who, { seat, name: course2.names[seat] ?? "" }) : "–";
function eventsOf({ course: course2, row, until }) {
  return course2.doc.events.slice(row.first, Math.min(row.last, until) + 1);
}
var HeadRow = ({ row }) => /* @__PURE__ */ a4("h2", { class: row.night ? "headline night" : "headline", children: /* @__PURE__ */ a4("span", { children: whenText(row.day, row.night) }) });
function When3({ course: course2, event }) {
  const { began_ms: began } = course2.doc;
  if (began === void 0 || event.t_ms === void 0) return null;
  const ms = began + event.t_ms;
  return /* @__PURE__ */ a4("time", { class: "when", dateTime: new Date(ms).toISOString(), title: fullTime(ms), children: secondTime(ms) });
}
function TalkRow({ course: course2, row }) {
  const event = course2.doc.events[row.first];
  const seat = event.seat ?? 0;
  const name = course2.names[seat] ?? "";
  const secret = event.kind === "whisper" || event.to !== void 0;
  return /* @__PURE__ */ a4("div", { class: secret ? "said secret" : "said", title: secret ? t5("whisperTitle") : void 0, children: [
    /* @__PURE__ */ a4(Face, { seat, name }),
    /* @__PURE__ */ a4("p", { lang: saidLang(event, course2), children: [
      /* @__PURE__ */ a4(Chip, { seat }),
      " ",
      !isNumberName(name) && /* @__PURE__ */ a4($, { children: [
        /* @__PURE__ */ a4(Name, { text: name }),
        " "
      ] }),
      event.kind === "whisper" && event.target ? /* @__PURE__ */ a4($, { children: [
        "→ ",
        /* @__PURE__ */ a4(Chip, { seat: event.target }),
        " "
      ] }) : null,
      /* @__PURE__ */ a4(Said, { event, course: course2 }),
      " ",
      /* @__PURE__ */ a4(Claims, { event })
    ] }),
    /* @__PURE__ */ a4(When3, { course: course2, event })
  ] });
}
function QuietRow(props) {
  const events = eventsOf(props);
  return /* @__PURE__ */ a4("p", { class: "silent", children: [
    events.map((event) => /* @__PURE__ */ a4(Chip, { seat: event.seat ?? 0 }, event.n)),
    " ",
    /* @__PURE__ */ a4("span", { class: "soft", children: events.every((event) => event.quiet === "forced") ? t5("timedOut") : t5("saidNothing") })
  ] });
}
function BallotRow(props) {
  const { course: course2, row } = props;
  const first = course2.doc.events[row.first];
  const attack = first.kind === "attack_vote";
  const counts = tally(eventsOf(props).flatMap((event) => event.seat && event.target ? [{ from: event.seat, to: event.target }] : []));
  const most = counts[0]?.voters.length ?? 1;
  const again = (first.round ?? 0) > 0;
  return /* @__PURE__ */ a4("div", { class: attack ? "ballot attack" : "ballot", children: [
    /* @__PURE__ */ a4("p", { class: "ballothead", children: [
      /* @__PURE__ */ a4(RowIcon, { name: attack ? "claw" : "vote" }),
      attack ? t5("attackBallot") : again ? t5("ballotAgain", { n: (first.round ?? 0) + 1 }) : t5("ballot")
    ] }),
    counts.length === 0 && /* @__PURE__ */ a4("p", { class: "soft", children: t5("noVotes") }),
    /* @__PURE__ */ a4("ul", { class: "counts", children: counts.map((count) => /* @__PURE__ */ a4("li", { class: count.top ? "count top" : "count", children: [
      /* @__PURE__ */ a4("span", { class: "for", children: who(course2, count.target) }),
      /* @__PURE__ */ a4("span", { class: "bar", children: [
        /* @__PURE__ */ a4("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true", children: /* @__PURE__ */ a4("rect", { width: count.voters.length / Math.max(most, 4) * 100, height: "10" }) }),
        /* @__PURE__ */ a4("b", { children: count.voters.length })
      ] }),
      /* @__PURE__ */ a4("span", { class: "from", children: count.voters.map((voter) => /* @__PURE__ */ a4(Chip, { seat: voter }, voter)) })
    ] }, count.target)) })
  ] });
}
var deedIcon = { divine: "eye", identify: "eye", guard: "shield", attack: "claw" };
function DeedRow({ course: course2, row }) {
  const event = course2.doc.events[row.first];
  const places = {
    who: who(course2, event.seat),
    target: who(course2, event.target),
    result: /* @__PURE__ */ a4("b", { class: event.species === "WEREWOLF" ? "wolf" : "human", children: event.species === "WEREWOLF" ? t5("resultWolf") : event.species === "HUMAN" ? t5("resultHuman") : t5("resultNone") })
  };
  const none = !event.target;
  const text = event.kind === "divine" ? tn(none ? "divinesNobody" : "divines", places) : event.kind === "identify" ? tn("identifies", places) : event.kind === "guard" ? tn(none ? "guardsNobody" : "guards", places) : tn(none ? "attacksNobody" : event.killed === false ? "attackFails" : "attacks", places);
  return /* @__PURE__ */ a4("p", { class: "line deed", children: [
    /* @__PURE__ */ a4(RowIcon, { name: deedIcon[event.kind] ?? "info" }),
    /* @__PURE__ */ a4("span", { children: text })
  ] });
}
function DeathRow({ course: course2, row }) {
  const event = course2.doc.events[row.first];
  const key = event.kind === "execute" ? "executed" : event.cause === "cursed" || event.cause === "left" ? `died_${event.cause}` : "died_attacked";
  const seat = event.seat ?? event.target ?? 0;
  return /* @__PURE__ */ a4("div", { class: "line death", children: [
    /* @__PURE__ */ a4(RowIcon, { name: event.kind === "execute" || event.cause === "executed" ? "execute" : "moon" }),
    /* @__PURE__ */ a4(Face, { seat, name: course2.names[seat] ?? "", dead: true }),
    /* @__PURE__ */ a4("p", { children: tn(key, { who: who(course2, seat) }) })
  ] });
}
function FaultRow({ course: course2, row }) {
  const event = course2.doc.events[row.first];
  return /* @__PURE__ */ a4("p", { class: "line fault", children: [
    /* @__PURE__ */ a4(RowIcon, { name: "clock" }),
    /* @__PURE__ */ a4("span", { children: [
      who(course2, event.seat),
      " ",
      faultText(event.fault),
      event.fault?.detail ? /* @__PURE__ */ a4("span", { class: "soft", children: [
        " – ",
        shown(event.fault.detail)
      ] }) : null
    ] })
  ] });
}
function NoticeRow({ course: course2, row }) {
  const event = course2.doc.events[row.first];
  return /* @__PURE__ */ a4("p", { class: "line notice", children: [
    /* @__PURE__ */ a4(RowIcon, { name: "info" }),
    /* @__PURE__ */ a4("span", { children: shown(event.text ?? "") })
  ] });
}
function StandingRow({ course: course2, row }) {
  const event = course2.doc.events[row.first];
  return /* @__PURE__ */ a4("p", { class: "line standing", children: [
    /* @__PURE__ */ a4(RowIcon, { name: "hand" }),
    /* @__PURE__ */ a4("span", { children: [
      tn(event.target ? "stands" : "standsBack", { who: who(course2, event.seat), target: who(course2, event.target) }),
      event.text ? /* @__PURE__ */ a4("span", { class: "soft", children: [
        " – ",
        shown(event.text)
      ] }) : null
    ] })
  ] });
}
function RolesRow(props) {
  const { course: course2 } = props;
  const events = eventsOf(props);
  return /* @__PURE__ */ a4("div", { class: "roles", children: [
    events[0]?.kind === "reveal" && /* @__PURE__ */ a4("p", { class: "ballothead", children: [
      /* @__PURE__ */ a4(RowIcon, { name: "flag" }),
      t5("rolesWere")
    ] }),
    /* @__PURE__ */ a4("ul", { children: events.map((event) => /* @__PURE__ */ a4("li", { children: [
      who(course2, event.seat),
      " ",
      event.role && /* @__PURE__ */ a4(RoleWord, { role: event.role })
    ] }, event.n)) })
  ] });
}
function ScoreRow(props) {
  return /* @__PURE__ */ a4("div", { class: "roles", children: [
    /* @__PURE__ */ a4("p", { class: "ballothead", children: [
      /* @__PURE__ */ a4(RowIcon, { name: "flag" }),
      t5("scores")
    ] }),
    /* @__PURE__ */ a4("ul", { children: eventsOf(props).map((event) => /* @__PURE__ */ a4("li", { children: [
      who(props.course, event.seat),
      " ",
      /* @__PURE__ */ a4("b", { children: event.points ?? 0 })
    ] }, event.n)) })
  ] });
}
function EndRow({ course: course2, row }) {
  const event = course2.doc.events[row.first];
  return /* @__PURE__ */ a4("p", { class: `theend won-${event.winner ?? "NONE"}`, children: [
    t5(`won_${event.winner ?? "NONE"}`),
    event.reason ? /* @__PURE__ */ a4("span", { class: "soft", children: [
      " – ",
      shown(event.reason)
    ] }) : null
  ] });
}
var UnknownRow = (props) => /* @__PURE__ */ a4("p", { class: "line notice", children: [
  /* @__PURE__ */ a4(RowIcon, { name: "info" }),
  /* @__PURE__ */ a4("span", { children: t5("unknownKind", { n: eventsOf(props).length }) })
] });
var rowViews = {
  head: HeadRow,
  talk: TalkRow,
  quiet: QuietRow,
  ballot: BallotRow,
  deed: DeedRow,
  death: DeathRow,
  fault: FaultRow,
  notice: NoticeRow,
  standing: StandingRow,
  roles: RolesRow,
  score: ScoreRow,
  end: EndRow,
  unknown: UnknownRow
};

// src/game/Log.tsx
var rowsAtOnce = 24;
var Log = class extends x {
  list = M();
  /** How many rows above the moment are drawn; back to the first number at each jump. */
  above = y3(rowsAtOnce);
  /** What a row looked like, by language and by the way sentences read: it never changes. */
  drawn = /* @__PURE__ */ new Map();
  drawnFor = "";
  shownAt = -1;
  stop;
  keepBottom = true;
  heightBefore = 0;
  componentDidMount() {
    this.stop = x2(() => {
      void this.props.game.resting.value;
      this.keepBottom = true;
      this.above.value = rowsAtOnce;
    });
    this.toBottom();
  }
  componentWillUnmount() {
    this.stop?.();
  }
  componentDidUpdate() {
    const list3 = this.list.current;
    if (!list3) return;
    if (this.keepBottom) this.toBottom();
    else if (this.heightBefore > 0) {
      list3.scrollTop += list3.scrollHeight - this.heightBefore;
      this.heightBefore = 0;
    }
  }
  toBottom() {
    const list3 = this.list.current;
    if (list3) list3.scrollTop = list3.scrollHeight;
  }
  scrolled = () => {
    const list3 = this.list.current;
    if (!list3) return;
    this.keepBottom = list3.scrollTop + list3.clientHeight >= list3.scrollHeight - 24;
    if (list3.scrollTop < 200 && this.shownAt >= this.above.value) {
      this.heightBefore = list3.scrollHeight;
      this.keepBottom = false;
      this.above.value += rowsAtOnce;
    }
  };
  view(row, until) {
    const whole2 = until >= row.last;
    const old = whole2 ? this.drawn.get(row) : void 0;
    if (old) return old;
    const View = rowViews[row.kind];
    const made = /* @__PURE__ */ a4(View, { course: this.props.telling.course, row, until });
    if (whole2 && row !== this.props.telling.rows[this.props.telling.rows.length - 1]) this.drawn.set(row, made);
    return made;
  }
  render() {
    const { game, telling } = this.props;
    void game.grown.value;
    const how = `${lang.value} ${sentences.value}`;
    if (how !== this.drawnFor) this.drawn = /* @__PURE__ */ new Map();
    this.drawnFor = how;
    const until = game.resting.value;
    const at2 = rowAt(telling.rows, until);
    this.shownAt = at2;
    const from = Math.max(0, at2 + 1 - this.above.value);
    const rows = telling.rows.slice(from, at2 + 1);
    return /* @__PURE__ */ a4("div", { class: "log", ref: this.list, onScroll: this.scrolled, tabIndex: 0, role: "region", "aria-label": t5("tab_log"), children: [
      /* @__PURE__ */ a4("div", { class: "logspace" }),
      /* @__PURE__ */ a4("ol", { class: "rows", children: rows.map((row, i4) => /* @__PURE__ */ a4(
        "li",
        {
          class: from + i4 === at2 ? `row ${row.kind} now` : `row ${row.kind}`,
          onClick: (press) => this.jump(press, row),
          children: this.view(row, until)
        },
        `${row.first}/${row.kind}`
      )) })
    ] });
  }
  // A click on a row's face or sign goes to its moment; text is for reading and choosing.
  jump(press, row) {
    if (!press.target.closest(".face,.rowicon,.headline,.ballothead")) return;
    const events = this.props.telling.course.doc.events;
    const last = Math.min(row.last, this.props.game.reached.value);
    if (events[last]) this.props.game.go(Math.max(row.first, last));
  }
};

// src/game/Bubble.tsx
function Bubble({ layout, table: table2, event, course: course2 }) {
  const seat = event.seat ?? 0;
  const name = course2.names[seat] ?? "";
  const place2 = layout.places.find((each) => each.seat === seat);
  const dayHeight = 84;
  const middle = { x: layout.centre.x, y: layout.centre.y + dayHeight / 2 };
  const length = (event.text ?? "").length;
  return /* @__PURE__ */ a4($, { children: [
    place2 && /* @__PURE__ */ a4(Beam, { layout, from: place2, to: middle }),
    /* @__PURE__ */ a4("div", { class: "centre top", style: { left: `${layout.centre.x}px`, top: `${layout.centre.y - layout.inner.height / 2 + 8}px` }, children: [
      /* @__PURE__ */ a4("p", { class: "bigday", children: t5("day", { day: table2.day }) }),
      /* @__PURE__ */ a4("p", { class: "alive", children: table2.night ? t5("nightAlive", { n: table2.alive }) : t5("alive", { n: table2.alive }) })
    ] }),
    /* @__PURE__ */ a4(
      "div",
      {
        class: `bubble${event.kind === "whisper" ? " whisper" : ""}${length > 240 ? " small" : ""}`,
        style: { left: `${middle.x}px`, top: `${middle.y}px`, width: `${Math.min(layout.inner.width, 540)}px`, maxHeight: `${layout.inner.height - dayHeight - 44}px` },
        children: /* @__PURE__ */ a4("p", { lang: saidLang(event, course2), children: [
          /* @__PURE__ */ a4(Chip, { seat }),
          " ",
          !isNumberName(name) && /* @__PURE__ */ a4($, { children: [
            /* @__PURE__ */ a4(Name, { text: name }),
            " "
          ] }),
          /* @__PURE__ */ a4(Said, { event, course: course2 }),
          " ",
          /* @__PURE__ */ a4(Claims, { event })
        ] })
      }
    )
  ] });
}
function Beam({ layout, from, to }) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const wide = 22;
  const tip = { x: from.x + along.x * layout.radius * 0.6, y: from.y + along.y * layout.radius * 0.6 };
  const points = `${tip.x.toFixed(1)},${tip.y.toFixed(1)} ${(to.x - along.y * wide).toFixed(1)},${(to.y + along.x * wide).toFixed(1)} ${(to.x + along.y * wide).toFixed(1)},${(to.y - along.x * wide).toFixed(1)}`;
  return /* @__PURE__ */ a4("svg", { class: "beam", width: layout.width, height: layout.height, "aria-hidden": "true", children: /* @__PURE__ */ a4("polygon", { points }) });
}

// src/game/layout.ts
var power2 = 2.6;
function curve(a5, b3, turn) {
  const angle = turn * 2 * Math.PI - Math.PI / 2;
  const c4 = Math.cos(angle);
  const s4 = Math.sin(angle);
  return { x: a5 * Math.sign(c4) * Math.abs(c4) ** (2 / power2), y: b3 * Math.sign(s4) * Math.abs(s4) ** (2 / power2) };
}
function spread(a5, b3, count) {
  const steps = 1440;
  const points = [];
  const along = [0];
  for (let i4 = 0; i4 <= steps; i4++) {
    const point = curve(a5, b3, i4 / steps);
    points.push(point);
    const before = points[i4 - 1];
    if (before) along.push(along[i4 - 1] + Math.hypot(point.x - before.x, point.y - before.y));
  }
  const total = along[steps];
  const made = [];
  for (let i4 = 0, at2 = 0; i4 < count; i4++) {
    while (at2 < steps && along[at2] < total * i4 / count) at2++;
    made.push(points[at2]);
  }
  return made;
}
function outline(centre, a5, b3) {
  let path = "";
  for (let i4 = 0; i4 < 120; i4++) {
    const point = curve(a5, b3, i4 / 120);
    path += `${i4 === 0 ? "M" : "L"}${(centre.x + point.x).toFixed(1)} ${(centre.y + point.y).toFixed(1)}`;
  }
  return `${path}Z`;
}
function stageLayout(width2, height2, seats, named) {
  const count = Math.max(seats.length, 1);
  const small = width2 < 520 || height2 < 420;
  const room = 2 * (width2 + height2) * 0.72;
  const radius = Math.round(Math.max(13, Math.min(small ? count <= 9 ? 24 : 21 : count <= 6 ? 42 : 34, room / count * 0.2, height2 * 0.075)));
  const labelHeight = small ? 14 : 18;
  const nameRoom = Math.round(Math.min(small ? 76 : 116, room / count * 0.82, width2 * 0.24));
  const showNames = named && nameRoom >= 46;
  const labelWidth = showNames ? Math.max(radius * 2 + 4, nameRoom) : radius * 2;
  const sideways = Math.max(radius + 14, labelWidth / 2 + 4);
  const up = radius + (small ? 9 : 16);
  const down = radius + labelHeight + (small ? 5 : 12);
  const centre = { x: width2 / 2, y: (up + height2 - down) / 2 };
  const a5 = Math.max(30, width2 / 2 - sideways - (small ? 0 : 10));
  const b3 = Math.max(30, (height2 - up - down) / 2);
  const places = spread(a5, b3, count).map((point, i4) => ({ seat: seats[i4] ?? 0, x: centre.x + point.x, y: centre.y + point.y }));
  const ta = Math.max(20, a5 - radius * 0.5);
  const tb = Math.max(20, b3 - radius * 0.5);
  return {
    width: width2,
    height: height2,
    centre,
    radius,
    labelWidth,
    labelHeight,
    named: showNames,
    tiny: height2 < 250 || width2 < 300,
    places,
    table: outline(centre, ta, tb),
    tableInner: outline(centre, Math.max(10, ta - (small ? 5 : 9)), Math.max(10, tb - (small ? 5 : 9))),
    inner: { width: Math.max(80, 2 * (a5 - radius - (showNames ? labelWidth / 2 - radius : 0) - 18)), height: Math.max(60, 2 * (b3 - radius - labelHeight - 8)) }
  };
}
var turned = (v4, angle) => ({
  x: v4.x * Math.cos(angle) - v4.y * Math.sin(angle),
  y: v4.x * Math.sin(angle) + v4.y * Math.cos(angle)
});
function unit(from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}
function fanned(wanted, gap, most) {
  const step = wanted.length > 1 ? Math.min(gap, 2 * most / (wanted.length - 1)) : 0;
  const pools = [];
  wanted.forEach((angle, i4) => {
    pools.push({ sum: angle - i4 * step, count: 1 });
    for (let last = pools.length - 1; last > 0; last--) {
      const one = pools[last - 1];
      const other = pools[last];
      if (one.sum / one.count <= other.sum / other.count) break;
      pools.splice(last - 1, 2, { sum: one.sum + other.sum, count: one.count + other.count });
    }
  });
  const low2 = -most;
  const high2 = most - (wanted.length - 1) * step;
  return pools.flatMap((pool) => Array(pool.count).fill(Math.max(low2, Math.min(high2, pool.sum / pool.count)))).map((angle, i4) => angle + i4 * step);
}
function standOff(layout, out, label) {
  const round = layout.radius + 6;
  if (out.y <= 0.05) return round;
  const below = (layout.radius + layout.labelHeight + 6) / out.y;
  const aside = Math.abs(out.x) > 0.01 ? (label / 2 + 5) / Math.abs(out.x) : Infinity;
  return Math.max(round, Math.min(below, aside));
}
function labelWidthOf(layout, name) {
  let units = 0;
  for (const char of name) units += (char.codePointAt(0) ?? 0) > 11903 ? 2 : 1.15;
  return Math.min(layout.labelWidth, units * layout.labelHeight * 0.36 + 10);
}
var bent = (straight, inward) => unit({ x: 0, y: 0 }, { x: straight.x * 0.7 + inward.x * 0.5, y: straight.y * 0.7 + inward.y * 0.5 });
function arrowPaths(layout, arrows, names2, headSize) {
  const place2 = new Map(layout.places.map((each) => [each.seat, each]));
  const made = arrows.map(() => ({ line: "", head: "" }));
  for (const target of new Set(arrows.map((arrow) => arrow.to))) {
    const to = place2.get(target);
    if (!to) continue;
    const inward = unit(to, layout.centre);
    const coming = arrows.flatMap((arrow, i4) => {
      const from = place2.get(arrow.from);
      if (arrow.to !== target || !from) return [];
      const v4 = arrow.from === target ? turned(inward, 0.6) : bent(unit(to, from), inward);
      return [{ i: i4, from, angle: Math.atan2(inward.x * v4.y - inward.y * v4.x, inward.x * v4.x + inward.y * v4.y) }];
    });
    coming.sort((one, other) => one.angle - other.angle);
    const angles = fanned(coming.map((each) => each.angle), 10 / (layout.radius + 6), 1.3);
    const label = labelWidthOf(layout, names2[target] ?? String(target));
    coming.forEach((each, at2) => {
      made[each.i] = oneArrow(layout, each.from, to, turned(inward, angles[at2]), label, headSize(each.i));
    });
  }
  return made;
}
function oneArrow(layout, from, to, out, label, size) {
  const far = standOff(layout, out, label);
  const tip = { x: to.x + out.x * far, y: to.y + out.y * far };
  const neck = { x: tip.x + out.x * size * 0.8, y: tip.y + out.y * size * 0.8 };
  const away = from === to ? turned(unit(from, layout.centre), -0.6) : bent(unit(from, tip), unit(from, layout.centre));
  const start = { x: from.x + away.x * (layout.radius + 4), y: from.y + away.y * (layout.radius + 4) };
  const reach = Math.hypot(neck.x - start.x, neck.y - start.y) * 0.36 + (from === to ? layout.radius * 1.6 : 0);
  const c1 = { x: start.x + away.x * reach, y: start.y + away.y * reach };
  const c22 = { x: neck.x + out.x * reach, y: neck.y + out.y * reach };
  const side = { x: -out.y * size * 0.5, y: out.x * size * 0.5 };
  const p5 = (point) => `${point.x.toFixed(1)} ${point.y.toFixed(1)}`;
  return {
    line: `M${p5(start)}C${p5(c1)} ${p5(c22)} ${p5(neck)}`,
    head: `M${p5(tip)}L${p5({ x: tip.x + out.x * size + side.x, y: tip.y + out.y * size + side.y })}L${p5(neck)}L${p5({ x: tip.x + out.x * size - side.x, y: tip.y + out.y * size - side.y })}Z`
  };
}

// src/game/SeatButton.tsx
var DeathSign = ({ state }) => /* @__PURE__ */ a4("svg", { class: `sign fate ${state.cause}`, viewBox: "0 0 32 32", "aria-hidden": "true", children: [
  /* @__PURE__ */ a4("circle", { cx: "16", cy: "16", r: "14.600", class: "ring" }),
  state.cause === "executed" || state.cause === "left" ? /* @__PURE__ */ a4("path", { d: "M10.500 10.500l11 11M21.500 10.500l-11 11", class: "cross" }) : /* @__PURE__ */ a4("path", { d: "M20.500 19.500a8 8 0 0 1-8.300-11 8.300 8.300 0 1 0 10.700 10.400 8 8 0 0 1-2.400.6z", fill: "currentColor" })
] });
function describe({ course: course2, table: table2, place: place2, count }) {
  const state = table2.seats[place2.seat];
  const parts = [seatText(course2, place2.seat)];
  if (state) parts.push(state.alive ? t5("isAlive") : t5("died", { day: state.diedDay, cause: t5(`cause_${state.cause || "attacked"}`) }));
  if (state?.role) parts.push(roleWord(state.role));
  if (state?.claim) parts.push(t5("claimsRole", { role: roleWord(state.claim) }));
  if (count) parts.push(t5("votes", { n: count.voters.length }));
  return parts.join(", ");
}
function SeatButton(props) {
  const { game, course: course2, table: table2, place: place2, layout, count, onView } = props;
  const { seat } = place2;
  const state = table2.seats[seat];
  if (!state) return null;
  const name = course2.names[seat] ?? "";
  const event = course2.event(table2.n);
  const speaks = table2.talk?.seat === seat && (event === table2.talk || table2.silent === 0);
  const acts = !speaks && event?.seat === seat && (event.kind === "vote" || event.kind === "attack_vote" || event.kind === "divine" || event.kind === "guard" || event.kind === "identify");
  const isView = game.view.value === seat;
  const classes = ["seat", `s${seat}`];
  if (!state.alive) classes.push("dead");
  if (speaks) classes.push("speaks");
  if (acts) classes.push("acts");
  const types = game.typing.value === seat && table2.n === game.last.value;
  if (types) classes.push("types");
  if (isView) classes.push("isview");
  if (table2.attacked === seat) classes.push("attacked");
  const size = layout.radius * 2;
  return /* @__PURE__ */ a4(
    "button",
    {
      type: "button",
      class: classes.join(" "),
      "aria-label": describe(props),
      "aria-pressed": isView,
      style: { left: `${place2.x}px`, top: `${place2.y}px`, "--d": `${size}px`, "--lw": `${layout.labelWidth}px`, "--lh": `${layout.labelHeight}px` },
      onClick: () => onView(seat),
      onPointerEnter: (move) => {
        if (move.pointerType === "mouse") game.hovered.value = seat;
      },
      onPointerLeave: () => {
        if (game.hovered.value === seat) game.hovered.value = 0;
      },
      onFocus: (focus) => {
        if (focus.currentTarget.matches(":focus-visible")) game.hovered.value = seat;
      },
      onBlur: () => {
        if (game.hovered.value === seat) game.hovered.value = 0;
      },
      children: [
        /* @__PURE__ */ a4(Face, { seat, name, dead: !state.alive }),
        state.role && /* @__PURE__ */ a4("span", { class: "at-role", children: /* @__PURE__ */ a4(RoleSign, { role: state.role }) }),
        state.claim && /* @__PURE__ */ a4("span", { class: "at-claim", children: /* @__PURE__ */ a4(RoleSign, { role: state.claim, claimed: true }) }),
        count ? /* @__PURE__ */ a4("span", { class: count.top ? "at-fate votes top" : "at-fate votes", "data-n": count.voters.length }) : !state.alive ? /* @__PURE__ */ a4("span", { class: "at-fate", children: /* @__PURE__ */ a4(DeathSign, { state }) }) : null,
        (table2.silent === seat || types) && /* @__PURE__ */ a4("span", { class: "at-silent" }),
        table2.faulty === seat && /* @__PURE__ */ a4("span", { class: "at-fault" }),
        /* @__PURE__ */ a4("span", { class: "label", children: layout.named && !isNumberName(name) ? shown(name) : seat })
      ]
    }
  );
}
function SeatCard({ game, course: course2, table: table2, layout }) {
  const seat = game.hovered.value;
  const place2 = layout.places.find((each) => each.seat === seat);
  const state = table2.seats[seat];
  if (!place2 || !state || game.dragging.value) return null;
  const info = course2.doc.seats.find((each) => each.seat === seat);
  const right = place2.x < layout.centre.x;
  const below = place2.y < layout.centre.y;
  let talks = 0;
  for (let n3 = 0; n3 <= table2.n; n3++) {
    const event = course2.event(n3);
    if (event?.seat === seat && event.kind === "talk" && !event.quiet) talks++;
  }
  const gap = layout.radius + 14;
  const edges = {};
  edges[right ? "left" : "right"] = `${right ? place2.x + gap : layout.width - place2.x + gap}px`;
  edges[below ? "top" : "bottom"] = `${Math.max(8, below ? place2.y - layout.radius : layout.height - place2.y - layout.radius)}px`;
  return /* @__PURE__ */ a4("div", { class: "card", style: edges, "aria-hidden": "true", children: [
    /* @__PURE__ */ a4("p", { class: "cardhead", children: [
      /* @__PURE__ */ a4(Chip, { seat }),
      " ",
      !isNumberName(info?.name ?? "") && /* @__PURE__ */ a4(Name, { text: info?.name ?? "" })
    ] }),
    /* @__PURE__ */ a4("p", { class: "note", children: state.alive ? t5("isAlive") : t5("died", { day: state.diedDay, cause: t5(`cause_${state.cause || "attacked"}`) }) }),
    /* @__PURE__ */ a4("dl", { children: [
      state.role && /* @__PURE__ */ a4($, { children: [
        /* @__PURE__ */ a4("dt", { children: t5("figRole") }),
        /* @__PURE__ */ a4("dd", { children: /* @__PURE__ */ a4(RoleWord, { role: state.role }) })
      ] }),
      state.claim && /* @__PURE__ */ a4($, { children: [
        /* @__PURE__ */ a4("dt", { children: t5("figClaim") }),
        /* @__PURE__ */ a4("dd", { children: /* @__PURE__ */ a4(RoleWord, { role: state.claim }) })
      ] }),
      info?.agent && /* @__PURE__ */ a4($, { children: [
        /* @__PURE__ */ a4("dt", { children: t5("figAgent") }),
        /* @__PURE__ */ a4("dd", { children: /* @__PURE__ */ a4("bdi", { children: shown(info.agent) }) })
      ] }),
      /* @__PURE__ */ a4("dt", { children: t5("figTalks") }),
      /* @__PURE__ */ a4("dd", { children: num(talks) })
    ] }),
    /* @__PURE__ */ a4("p", { class: "note", children: game.view.value === seat ? t5("seesPublic") : t5("seesAs", { who: seatText(course2, seat) }) })
  ] });
}

// src/game/Sky.tsx
var starCount = 46;
var stars = Array.from({ length: starCount }, (_4, i4) => {
  const mixed = Math.imul(i4 + 7, 2654435761) >>> 0;
  return { x: mixed % 1e3 / 1e3, y: (mixed >>> 10) % 1e3 / 1e3, r: 0.6 + (mixed >>> 20) % 10 / 12 };
});
var Glow = ({ name, x: x4, y: y5, r: r4 }) => /* @__PURE__ */ a4($, { children: [
  /* @__PURE__ */ a4("radialGradient", { id: name, children: [
    /* @__PURE__ */ a4("stop", { offset: ".3", class: name, "stop-opacity": ".4" }),
    /* @__PURE__ */ a4("stop", { offset: "1", class: name, "stop-opacity": "0" })
  ] }),
  /* @__PURE__ */ a4("circle", { cx: x4, cy: y5, r: r4, fill: `url(#${name})` })
] });
function Sky({ width: width2, height: height2, night }) {
  const r4 = Math.max(11, Math.min(22, Math.min(width2, height2) * 0.03));
  const x4 = width2 - r4 - Math.max(12, width2 * 0.035);
  const y5 = r4 + Math.max(12, height2 * 0.03);
  if (!night) {
    return /* @__PURE__ */ a4("g", { class: "sky", children: [
      /* @__PURE__ */ a4(Glow, { name: "sunglow", x: x4, y: y5, r: r4 * 3 }),
      /* @__PURE__ */ a4("circle", { class: "sun", cx: x4, cy: y5, r: r4 })
    ] });
  }
  return /* @__PURE__ */ a4("g", { class: "sky", children: [
    stars.map((star, i4) => /* @__PURE__ */ a4("circle", { class: "star", cx: (star.x * width2).toFixed(1), cy: (star.y * height2).toFixed(1), r: star.r }, i4)),
    /* @__PURE__ */ a4(Glow, { name: "moonglow", x: x4, y: y5, r: r4 * 3 }),
    /* @__PURE__ */ a4("path", { class: "moon", d: `M${x4 + r4 * 0.35} ${y5 - r4}A${r4} ${r4} 0 1 0 ${x4 + r4} ${y5 + r4 * 0.45}A${r4 * 0.86} ${r4 * 0.86} 0 0 1 ${x4 + r4 * 0.35} ${y5 - r4}Z` })
  ] });
}

// src/game/size.ts
function useSize() {
  const ref = T2(null);
  const size = useSignal({ width: 0, height: 0 });
  F2(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      const { width: width2, height: height2 } = element.getBoundingClientRect();
      if (Math.round(width2) !== size.value.width || Math.round(height2) !== size.value.height)
        size.value = { width: Math.round(width2), height: Math.round(height2) };
    };
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  return { ref, size };
}

// src/game/Stage.tsx
function Arrows({ layout, table: table2, counts, names: names2 }) {
  const arrows = table2.arrows;
  const topOf = (i4) => {
    const arrow = arrows[i4];
    return arrow !== void 0 && isArrowVote(arrow.kind) && (counts.get(arrow.to)?.top ?? false);
  };
  const paths2 = arrowPaths(layout, arrows, layout.named ? names2 : [], (i4) => topOf(i4) ? 13 : 10);
  return /* @__PURE__ */ a4("g", { class: "arrows", children: arrows.map((arrow, i4) => /* @__PURE__ */ a4("g", { class: `arrow ${arrow.kind}${topOf(i4) ? " top" : ""}`, children: [
    /* @__PURE__ */ a4("path", { class: "shaft", d: paths2[i4]?.line ?? "" }),
    /* @__PURE__ */ a4("path", { class: "tip", d: paths2[i4]?.head ?? "" })
  ] }, `${arrow.kind}/${arrow.from}/${arrow.to}/${arrow.n}`)) });
}
function Centre({ table: table2, layout }) {
  const over2 = table2.winner !== null;
  return /* @__PURE__ */ a4("div", { class: "centre", style: { left: `${layout.centre.x}px`, top: `${layout.centre.y}px`, maxWidth: `${layout.inner.width}px` }, children: [
    /* @__PURE__ */ a4("p", { class: "bigday", children: over2 ? t5("gameOver") : t5("day", { day: table2.day }) }),
    /* @__PURE__ */ a4("p", { class: over2 ? "won" : "alive", children: over2 ? t5(`won_${table2.winner ?? "NONE"}`) : table2.night ? t5("nightAlive", { n: table2.alive }) : t5("alive", { n: table2.alive }) })
  ] });
}
function Stage({ game, onView }) {
  const { ref, size } = useSize();
  const course2 = game.course.value;
  const table2 = game.table.value;
  const { width: width2, height: height2 } = size.value;
  const seats = course2.doc.seats.map((seat) => seat.seat);
  const named = course2.doc.seats.some((seat) => !isNumberName(seat.name));
  const layout = w2(() => stageLayout(Math.max(width2, 200), Math.max(height2, 160), seats, named), [width2, height2, seats.length, named]);
  const counts = new Map(tally(table2.arrows.filter((arrow) => isArrowVote(arrow.kind))).map((count) => [count.target, count]));
  void lang.value;
  const sentence2 = useComputed(() => {
    void sentences.value;
    void lang.value;
    const telling = game.course.value;
    return tableSentence(telling, telling.tableAt(game.resting.value));
  });
  const bubble = table2.talk !== null && width2 >= 520 && height2 >= 420;
  return /* @__PURE__ */ a4("section", { class: `stage${table2.night ? " night" : ""}${layout.tiny ? " tiny" : ""}`, ref, "aria-label": t5("table"), id: "table", tabIndex: -1, children: [
    width2 > 0 && /* @__PURE__ */ a4($, { children: [
      /* @__PURE__ */ a4("svg", { class: "ground", width: width2, height: height2, viewBox: `0 0 ${width2} ${height2}`, role: "img", "aria-label": sentence2.value, children: [
        /* @__PURE__ */ a4(Sky, { width: width2, height: height2, night: table2.night }),
        /* @__PURE__ */ a4("path", { class: "wood", d: layout.table }),
        /* @__PURE__ */ a4("path", { class: "woodline", d: layout.tableInner }),
        bubble ? null : /* @__PURE__ */ a4(Arrows, { layout, table: table2, counts, names: course2.names })
      ] }),
      bubble && table2.talk ? /* @__PURE__ */ a4(Bubble, { layout, table: table2, event: table2.talk, course: course2 }) : /* @__PURE__ */ a4(Centre, { table: table2, layout }),
      /* @__PURE__ */ a4("div", { class: "seats", children: layout.places.map((place2) => /* @__PURE__ */ a4(
        SeatButton,
        {
          game,
          course: course2,
          table: table2,
          place: place2,
          layout,
          count: counts.get(place2.seat),
          onView
        },
        place2.seat
      )) }),
      /* @__PURE__ */ a4(SeatCard, { game, course: course2, table: table2, layout })
    ] }),
    width2 === 0 && /* @__PURE__ */ a4("span", { class: "unseen", children: seatText(course2, 0) })
  ] });
}

// src/seat_state.ts
var GUARD_MS = 300;
var speech = ["talk", "whisper", "whisper_to"];
var isSpeech = (kind) => speech.includes(kind);
var kinds3 = ["talk", "whisper", "vote", "divine", "guard", "attack", "role_wish", "query_role", "whisper_to"];
var whole = (value) => typeof value === "number" && Number.isFinite(value) ? value : void 0;
function readAsk(message, now, before) {
  const number = whole(message.ask);
  if (number === void 0 || typeof message.kind !== "string" || !kinds3.includes(message.kind)) return void 0;
  const ask2 = {
    game: String(message.game ?? ""),
    ask: number,
    kind: message.kind,
    targets: Array.isArray(message.targets) ? message.targets.filter((each) => Number.isInteger(each)) : [],
    at: before?.at ?? now,
    standing: message.standing === true,
    withdraw: message.withdraw === true,
    revote: message.revote === true,
    may: Array.isArray(message.may) ? message.may.map(String) : []
  };
  const left2 = whole(message.left_ms);
  if (left2 !== void 0) {
    ask2.until = now + left2;
    ask2.total = Math.max(before?.total ?? left2, left2);
  }
  if (typeof message.length === "object" && message.length !== null) {
    const { rule, ...length } = message.length;
    ask2.length = rule === "seat" || rule === "lowest" ? { ...length, which: rule } : length;
  }
  const counts = { maxChars: whole(message.max_chars), turnsLeft: whole(message.turns_left), skipsLeft: whole(message.skips_left) };
  for (const [name, value] of Object.entries(counts)) if (value !== void 0) ask2[name] = value;
  const answered = message.answered ?? before?.answered;
  if (answered) ask2.answered = answered;
  return ask2;
}
var SeatState = class {
  constructor(salt2) {
    this.salt = salt2;
  }
  salt;
  asks = [];
  outcome;
  areYouThere = false;
  pending = /* @__PURE__ */ new Map();
  nextKey = 0;
  /** The ask for speech that is to be shown: of several the one with less time. */
  get speech() {
    return this.asks.filter((ask2) => isSpeech(ask2.kind)).sort((a5, b3) => (a5.until ?? Infinity) - (b3.until ?? Infinity))[0];
  }
  get choices() {
    return this.asks.filter((ask2) => !isSpeech(ask2.kind));
  }
  isPending(ask2) {
    return [...this.pending.values()].some((each) => each.message.ask === ask2);
  }
  /** A new ask is not answered by a press that was meant for another thing. */
  guarded(ask2, now) {
    return now - ask2.at < GUARD_MS;
  }
  /** True when something changed. */
  hear(message, now) {
    switch (message.type) {
      case "ask":
        return this.hearAsk(message, now);
      case "unask":
        this.asks = this.asks.filter((ask2) => ask2.ask !== message.ask);
        return true;
      case "taken":
        return this.hearTaken(message);
      case "refused":
        return this.hearRefused(message);
      case "here?":
        this.areYouThere = true;
        return true;
      case "reveal":
        this.asks = [];
        this.pending.clear();
        return true;
      default:
        return false;
    }
  }
  hearAsk(message, now) {
    const before = this.asks.find((ask3) => ask3.ask === message.ask);
    const ask2 = readAsk(message, now, before);
    if (!ask2) return false;
    if (!before && this.asks.some((each) => each.ask > ask2.ask && each.kind === ask2.kind)) return false;
    this.asks = [...this.asks.filter((each) => each.ask !== ask2.ask && (each.kind !== ask2.kind || each.ask > ask2.ask)), ask2].sort((a5, b3) => a5.ask - b3.ask);
    if (!before) this.outcome = this.outcome && !this.outcome.taken ? this.outcome : void 0;
    return true;
  }
  settle(message) {
    const pending = this.pending.get(String(message.key));
    if (pending) this.pending.delete(pending.key);
    return pending;
  }
  hearTaken(message) {
    const pending = this.settle(message);
    const ask2 = this.asks.find((each) => each.ask === message.ask);
    const kind = ask2?.kind ?? pending?.message.kind ?? message.kind;
    const sent = pending ? answerOf(pending.message) : answerOf(message);
    if (ask2) {
      if (ask2.standing || !isSpeech(ask2.kind)) ask2.answered = answerOf(pending?.message ?? message);
      else this.asks = this.asks.filter((each) => each !== ask2);
    }
    if (pending || !this.outcome) {
      this.outcome = { kind, taken: true, sent };
      if (typeof message.text === "string") this.outcome.text = message.text;
    }
    return true;
  }
  hearRefused(message) {
    const pending = this.settle(message);
    const ask2 = this.asks.find((each) => each.ask === message.ask);
    if (ask2 && Array.isArray(message.targets)) ask2.targets = message.targets.filter((each) => Number.isInteger(each));
    if (message.code === "stale") this.asks = this.asks.filter((each) => each.ask !== message.ask);
    if (!pending) return true;
    this.outcome = {
      kind: pending.message.kind,
      taken: false,
      sent: answerOf(pending.message),
      code: typeof message.code === "string" ? message.code : "",
      error: typeof message.error === "string" ? message.error : ""
    };
    return true;
  }
  /** The message to send; it is kept until the server says what came of it. */
  answer(ask2, answer, now) {
    const key = `${this.salt}${(this.nextKey++).toString(36)}`;
    const message = { type: "answer", game: ask2.game, ask: ask2.ask, kind: ask2.kind, key, ...answer };
    this.pending.set(key, { key, message, at: now });
    this.outcome = void 0;
    return message;
  }
  /** After a new connection: what may have got lost, once more and with the same keys. */
  resend() {
    return [...this.pending.values()].map((each) => each.message);
  }
  /** Time is over: the server's clock decided. */
  expire(now) {
    const open = this.asks.filter((ask2) => ask2.until === void 0 || ask2.until > now - 5e3);
    const changed = open.length !== this.asks.length;
    this.asks = open;
    return changed;
  }
};
function answerOf(message) {
  const made = {};
  if (typeof message.target === "number") made.target = message.target;
  if (typeof message.text === "string") made.text = message.text;
  if (typeof message.role === "string") made.role = message.role;
  return made;
}
function secondsToSay(before, now) {
  for (const mark of [5, 10, 30]) if (before > mark * 1e3 && now <= mark * 1e3 && now > 0) return mark;
  return 0;
}
function typedTarget(digits, targets) {
  for (let from = 0; from < digits.length; from++) {
    const number = Number(digits.slice(from));
    if (targets.includes(number)) return number;
  }
  return void 0;
}

// src/length.ts
var SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
function walk(rules, text, max) {
  let units = 0;
  let inWord = false;
  let at2 = 0;
  for (const c4 of text) {
    const space = SPACE.test(c4);
    const isUnit = rules.unit === "words" ? !space && !inWord : rules.spaces || !space;
    inWord = !space;
    if (isUnit && units === max) return [units, at2];
    if (isUnit) units++;
    at2 += c4.length;
  }
  return [units, at2];
}
function lengthCount(rules, text) {
  return walk(rules, text, Infinity)[0];
}
function words(text) {
  const found2 = [];
  let word = "";
  for (const c4 of text + " ") {
    if (!SPACE.test(c4)) word += c4;
    else if (word) {
      found2.push(word);
      word = "";
    }
  }
  return found2;
}
function trim(rules, text, most) {
  const max = Math.max(most, 0);
  if (lengthCount(rules, text) <= max) return text;
  if (max === 0) return "";
  if (rules.unit === "words") return words(text).slice(0, max).join(" ");
  let end = walk(rules, text, max)[1];
  while (!rules.spaces && end > 0 && SPACE.test(text[end - 1] ?? "")) end--;
  return text.slice(0, end);
}
function findMention(rules, text, names2, speaker) {
  let best;
  names2.forEach((name, i4) => {
    if (i4 + 1 === speaker || !name) return;
    const at2 = text.indexOf("@" + name);
    if (at2 < 0) return;
    const which = rules.which ?? "longest";
    const better = !best || which !== "lowest" && at2 < best.at || which === "longest" && at2 === best.at && name.length > best.name.length;
    if (better) best = { at: at2, name };
  });
  return best;
}
function lengthLimit(rules, text, names2, speaker) {
  const hasLeft = rules.left !== void 0;
  let left2 = rules.left ?? 0;
  let common = text;
  let tail = "";
  let commonMax = Infinity;
  let tailMax = Infinity;
  let mention;
  const charge = (cost) => {
    if (hasLeft && cost > 0) left2 -= cost;
  };
  if (hasLeft || rules.base !== void 0) {
    const base2 = rules.base ?? 0;
    mention = findMention(rules, text, names2, speaker);
    if (mention) {
      common = text.slice(0, mention.at);
      tail = text.slice(mention.at + 1 + mention.name.length);
    }
    commonMax = Math.max(0, base2 + (hasLeft ? left2 : 0));
    charge(lengthCount(rules, common) - base2);
    if (mention && rules.mention !== void 0) {
      tailMax = Math.max(0, rules.mention + (hasLeft ? left2 : 0));
      charge(Math.min(lengthCount(rules, tail), tailMax) - rules.mention);
    }
  }
  let dropTail = false;
  if (rules.per_talk !== void 0) {
    const commonCount = walk(rules, common, commonMax)[0];
    const tailCount = walk(rules, tail, tailMax)[0];
    if (commonCount > rules.per_talk) {
      commonMax = rules.per_talk;
      dropTail = true;
    } else if (tailCount > rules.per_talk - commonCount) {
      tailMax = rules.per_talk - commonCount;
    }
  }
  const head = trim(rules, common, commonMax);
  let lost = lengthCount(rules, common) - lengthCount(rules, head);
  let out = head;
  if (mention && !dropTail) {
    const rest = trim(rules, tail, tailMax);
    lost += lengthCount(rules, tail) - lengthCount(rules, rest);
    out += ` @${mention.name} ${rest}`;
  } else if (mention) {
    lost += lengthCount(rules, text.slice(mention.at));
  }
  return { text: out, left: hasLeft ? left2 : void 0, lost };
}
function lengthLeft(rules, text, names2, speaker) {
  const limited = rules.per_talk !== void 0 || rules.base !== void 0 || rules.left !== void 0;
  if (!limited) return void 0;
  const lostWith = (n3) => lengthLimit(rules, text + (rules.unit === "words" ? " x" : "x").repeat(n3), names2, speaker).lost;
  const lost = lostWith(0);
  if (lost > 0) return { left: -lost, over: true };
  let low2 = 0;
  let high2 = 4096;
  if (lostWith(high2) === 0) return void 0;
  while (low2 < high2) {
    const middle = low2 + high2 + 1 >> 1;
    if (lostWith(middle) === 0) low2 = middle;
    else high2 = middle - 1;
  }
  return { left: low2, over: false };
}

// src/seat/cut.ts
var tidy = (text) => text.replace(/\s+/g, " ").trim();
function cutOff(sent, recorded) {
  const before = tidy(sent);
  const after = tidy(recorded);
  if (before === after || before.replaceAll(" ", "") === after.replaceAll(" ", "")) return "";
  let at2 = 0;
  for (let i4 = 0; i4 < after.length; i4++) {
    if (after[i4] === " ") continue;
    while (before[at2] === " ") at2++;
    if (before[at2] !== after[i4]) break;
    at2++;
  }
  return before.slice(at2).trim();
}

// src/seat_view.ts
var told = (to, seat) => to === void 0 || to.includes(seat);
function seatView(doc, seat) {
  const events = [];
  const newN = [];
  for (const event of doc.events) {
    newN.push(events.length);
    if (!told(event.to, seat)) continue;
    const { to: _5, ...rest2 } = event;
    events.push({ ...rest2, n: events.length });
  }
  const phases = [];
  doc.phases.forEach((phase, i4) => {
    const first = newN[phase.first] ?? events.length;
    const next = newN[doc.phases[i4 + 1]?.first ?? newN.length] ?? events.length;
    const before = phases[phases.length - 1];
    const goesOn2 = before !== void 0 && before.day === phase.day && before.night === phase.night && before.action === phase.action;
    if (first < next && !goesOn2) phases.push({ ...phase, first });
  });
  const seats = doc.seats.map(({ role, role_to, ...rest2 }) => role && told(role_to, seat) ? { ...rest2, role } : rest2);
  const { belief: _4, ...rest } = doc;
  return { ...rest, view: seat === 0 ? { kind: "public" } : { kind: "seat", seat }, seats, phases, events };
}

// src/game/store.ts
var viewName = (view) => typeof view === "number" ? `seat:${view}` : view;
function viewOf(doc) {
  return doc.view.kind === "seat" ? doc.view.seat ?? 1 : doc.view.kind;
}
var Telling = class {
  course;
  rows = [];
  constructor(doc) {
    this.course = new Course(doc);
    growRows(this.rows, this.course);
  }
  append(events, phases, seats) {
    if (!this.course.append(events, phases, seats)) return false;
    growRows(this.rows, this.course);
    return true;
  }
};
var GameStore = class {
  tellings = /* @__PURE__ */ new Map();
  telling = y3(new Telling(nothing));
  view = y3("public");
  /** Counts what was added to the document, so that what depends on its length is drawn anew. */
  grown = y3(0);
  cursor = y3(0);
  /** The furthest moment that was seen: how much of the course may be drawn. */
  reached = y3(0);
  dragging = y3(false);
  /** The cursor as the log follows it: while a hand drags, it waits until the hand rests. */
  resting = y3(0);
  tab = y3("log");
  speed = y3(1);
  playing = y3(false);
  hovered = y3(0);
  /** Follows a running game; off as soon as one goes back. */
  following = y3(false);
  status = y3("finished");
  /** Of a running game: who is asked to speak, and how much time there is. */
  typing = y3(0);
  clock = y3(null);
  /** Fetches a view that isn't there. Absent in exported files. */
  fetchView = null;
  /** Who sits at this browser, 0 = nobody. */
  ownSeat = 0;
  /** An operator may see everything of a running game. */
  isOperator = false;
  restTimer;
  course = O(() => {
    void this.grown.value;
    return this.telling.value.course;
  });
  doc = O(() => this.course.value.doc);
  /** Whether thoughts of players can be shown: the tab is there. */
  hasMind = O(() => {
    const doc = this.doc.value;
    if (this.fetchView === null || this.status.value === "running" && !this.isOperator) return false;
    return doc.division === "maw" || doc.contest?.minds === true || doc.seats.some((seat) => /^(model|llm)/.test(seat.kind ?? ""));
  });
  table = O(() => {
    void this.grown.value;
    return this.telling.value.course.tableAt(this.cursor.value);
  });
  last = O(() => {
    void this.grown.value;
    return Math.max(0, this.telling.value.course.length - 1);
  });
  /** Takes a document in; its view becomes what is shown. */
  show(doc) {
    this.put(doc);
    r3(() => {
      this.status.value = doc.status;
      this.switchTo(viewOf(doc));
    });
  }
  /** Takes a document in without showing it. */
  put(doc) {
    this.tellings.set(viewName(viewOf(doc)), new Telling(doc));
  }
  /** Forgets all documents: another game comes. */
  reset() {
    this.tellings.clear();
    r3(() => {
      this.telling.value = new Telling(nothing);
      this.cursor.value = 0;
      this.resting.value = 0;
      this.reached.value = 0;
      this.playing.value = false;
    });
  }
  /** How many events of a view are here. */
  lengthOf(view) {
    return this.tellings.get(viewName(view))?.course.length ?? 0;
  }
  get hasAll() {
    return this.tellings.has("all");
  }
  /** The views that can be chosen. A running game's secrets are not asked for: the server has the say. */
  get choices() {
    const seats = this.doc.value.seats.map((seat) => seat.seat);
    if (this.hasAll || this.fetchView !== null && (this.status.value !== "running" || this.isOperator)) return ["public", "all", ...seats];
    const made = ["public", ...seats.filter((seat) => seat === this.ownSeat || this.tellings.has(viewName(seat)))];
    return this.tellings.has("public") || this.fetchView !== null ? made : made.slice(1);
  }
  /** Shows another view of the same moment. Rejects with a sentence when it may not be had. */
  async choose(view) {
    const name = viewName(view);
    const all = this.tellings.get("all");
    if (!this.tellings.has(name) && all && view !== "all") this.put(seatView(all.course.doc, view === "public" ? 0 : view));
    if (!this.tellings.has(name)) {
      if (!this.fetchView) throw new Error("no such view");
      const got = await this.fetchView(this.status.value === "running" ? view : "all");
      this.put(got);
      if (viewName(viewOf(got)) !== name) return this.choose(view);
    }
    this.switchTo(view);
    if (view !== "public" && this.status.value !== "running") keep(`shown.${this.doc.value.id}`, "1");
  }
  switchTo(view) {
    const next = this.tellings.get(viewName(view));
    if (!next) return;
    const before = this.telling.value.course;
    const cursor = before.length > 0 ? sameMoment(before, this.cursor.value, next.course) : this.cursor.value;
    r3(() => {
      this.telling.value = next;
      this.view.value = view;
      this.reached.value = before.length > 0 ? sameMoment(before, this.reached.value, next.course) : 0;
      this.go(cursor);
    });
  }
  /** Whether roles were shown here before. */
  get wasShown() {
    return kept(`shown.${this.doc.value.id}`) === "1";
  }
  /** What came from the feed for one view. False: the document must be fetched anew. */
  append(view, events, phases, seats) {
    const telling = this.tellings.get(viewName(view));
    if (!telling || !telling.append(events, phases, seats)) return false;
    if (telling !== this.telling.value) return true;
    r3(() => {
      this.grown.value++;
      if (this.following.value) this.go(telling.course.length - 1);
    });
    return true;
  }
  /** Moves to event `n`. */
  go(n3) {
    const to = Math.max(0, Math.min(n3, this.telling.value.course.length - 1));
    r3(() => {
      this.cursor.value = to;
      this.reached.value = Math.max(this.reached.value, to);
      if (this.status.value === "running") this.following.value = to === this.telling.value.course.length - 1;
      clearTimeout(this.restTimer);
      if (this.dragging.value) this.restTimer = setTimeout(() => {
        this.resting.value = this.cursor.value;
      }, 90);
      else this.resting.value = to;
    });
  }
  goTo(anchor) {
    this.go(this.telling.value.course.at(anchor));
  }
  drop() {
    r3(() => {
      this.dragging.value = false;
      this.go(this.cursor.value);
    });
  }
};
function sameMoment(from, n3, to) {
  if (n3 >= from.length - 1) return to.length - 1;
  const known3 = new Map(to.doc.events.map((event, at2) => [event.a, at2]));
  for (let at2 = n3; at2 >= 0; at2--) {
    const found2 = known3.get(from.event(at2)?.a ?? "");
    if (found2 !== void 0) return found2;
  }
  return 0;
}
var nothing = {
  format: "warg-game",
  version: 1,
  id: "",
  division: "protocol",
  lang: "aiwolf",
  status: "finished",
  view: { kind: "public" },
  source: { form: "live", name: "" },
  rules: { name: "", players: 0, talk: "turns" },
  seats: [],
  phases: [],
  events: []
};

// src/game/live_game.ts
var list = (value) => Array.isArray(value) ? value : [];
function growBy(game, view, frame) {
  const length = game.lengthOf(view);
  const events = list(frame["events"]).filter((event) => event.n >= length);
  const phases = list(frame["phases"]).filter((phase) => events.length > 0 && phase.first >= length);
  return game.append(view, events, phases, list(frame["seats"]));
}
function followGame(game, id) {
  let watch = null;
  let watched = null;
  const begin = (view) => {
    watch?.stop();
    watched = view;
    watch = new Watch(id, viewName(view), {
      show: (doc) => {
        const follows = game.following.peek();
        r3(() => {
          game.show(doc);
          if (follows) game.go(game.last.value);
        });
      },
      grow: (frame) => growBy(game, view, frame)
    });
  };
  const stops = [
    x2(() => {
      const view = game.view.value;
      if (game.status.value === "running" && view !== watched) begin(view);
    }),
    x2(() => {
      void game.view.value;
      game.typing.value = watch?.typing.value ?? 0;
      game.clock.value = watch?.clock.value ?? null;
    }),
    x2(() => {
      void game.view.value;
      if (watch?.over.value && game.status.peek() === "running") game.status.value = "finished";
    })
  ];
  return () => {
    for (const stop of stops) stop();
    watch?.stop();
  };
}

// src/game/hash.ts
var tabs = ["log", "votes", "claims", "stances", "mind"];
var speeds = [0.5, 1, 2, 5, 10];
function readMoment(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const made = {};
  const view = fields.get("view");
  if (view === "public" || view === "all") made.view = view;
  else if (view !== null && /^([1-9]|[12]\d|30)$/.test(view)) made.view = Number(view);
  const at2 = fields.get("at");
  if (at2 !== null && /^[a-z0-9.]{1,40}$/.test(at2)) made.at = at2;
  const tab = fields.get("tab");
  if (tab !== null && tabs.includes(tab)) made.tab = tab;
  const lang2 = fields.get("lang");
  if (lang2 === "en" || lang2 === "ja") made.lang = lang2;
  const speed = Number(fields.get("speed"));
  if (speeds.includes(speed)) made.speed = speed;
  return made;
}
function momentText2(moment2) {
  const fields = new URLSearchParams();
  for (const key of ["view", "at", "tab", "lang", "speed"])
    if (moment2[key] !== void 0) fields.set(key, String(moment2[key]));
  const text = fields.toString();
  return text === "" ? "" : `#${text}`;
}

// src/game/load.ts
async function fetchDoc(source, view) {
  return readDoc(await get(source.doc(viewName(view))));
}
async function loadGame(game, id, source) {
  game.isOperator = operatorSecret() !== "";
  game.fetchView = (view) => fetchDoc(source, view);
  const wanted = readMoment(location.hash);
  game.show(await fetchDoc(source, "public"));
  await applyMoment(game, wanted, true);
  if (game.status.value === "running") return followGame(game, id);
  if (wanted.view === void 0 && game.wasShown) await chooseView(game, "all");
  return () => {
  };
}
async function chooseView(game, view) {
  try {
    await game.choose(view);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), true);
  }
}
async function applyMoment(game, moment2, first = false) {
  if (moment2.lang) lang.value = moment2.lang;
  if (moment2.tab) game.tab.value = moment2.tab;
  if (moment2.speed) game.speed.value = moment2.speed;
  if (moment2.view !== void 0 && moment2.view !== game.view.value) await chooseView(game, moment2.view);
  if (moment2.at !== void 0) game.goTo(moment2.at);
  else if (first) game.go(game.status.value === "running" ? game.last.value : 0);
}
function momentOf(game) {
  const at2 = game.course.value.event(game.cursor.value)?.a;
  return {
    ...game.view.value === "public" ? {} : { view: game.view.value },
    ...at2 === void 0 || game.status.value === "running" && game.following.value ? {} : { at: at2 },
    ...game.tab.value === "log" ? {} : { tab: game.tab.value },
    ...game.speed.value === 1 ? {} : { speed: game.speed.value }
  };
}
function useAddress(game) {
  A2(() => {
    let timer;
    let written = location.hash;
    const write = () => {
      if (game.course.value.length === 0) return;
      const text = momentText2(momentOf(game));
      if (text === written) return;
      written = text;
      history.replaceState(null, "", text || location.pathname + location.search);
    };
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(write, 300);
    };
    const stops = [game.cursor, game.view, game.tab, game.speed].map((each) => each.subscribe(later));
    const changed = () => {
      if (location.hash === written) return;
      written = location.hash;
      clearTimeout(timer);
      game.playing.value = false;
      void applyMoment(game, readMoment(location.hash));
    };
    addEventListener("hashchange", changed);
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
      removeEventListener("hashchange", changed);
    };
  }, [game]);
}
async function copyLink2(game) {
  const at2 = game.course.value.event(game.cursor.value)?.a;
  const link = `${location.href.replace(/#.*$/, "")}${momentText2({ ...momentOf(game), ...at2 === void 0 ? {} : { at: at2 } })}`;
  try {
    await navigator.clipboard.writeText(link);
    return true;
  } catch {
    return false;
  }
}

// src/seat/desk.ts
var nowMs = () => performance.now();
var salt = () => [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
var Desk2 = class {
  constructor(id, seat) {
    this.id = id;
    this.seat = seat;
    this.game.ownSeat = seat;
    this.game.fetchView = (view) => fetchDoc(ofServer(id), view);
    feed.keep = true;
    this.stops = [
      feed.onMessage((message) => {
        if (message.game !== void 0 && message.game !== this.id) return;
        if (this.state.hear(message, nowMs())) this.version.value++;
        if (message.type === "reveal") void this.end();
      }),
      feed.onState(() => this.reconnected())
    ];
    this.watch = new Watch(id, `seat:${seat}`, {
      show: (doc) => r3(() => {
        this.game.show(doc);
        this.game.following.value = true;
        this.game.go(this.game.last.value);
        this.ready.value = true;
        if (doc.status !== "running") void this.end();
      }),
      grow: (frame) => {
        const length = this.game.course.peek().length;
        const events = (Array.isArray(frame.events) ? frame.events : []).filter((event) => event.n >= length);
        const phases = (Array.isArray(frame.phases) ? frame.phases : []).filter((phase) => events.length > 0 && phase.first >= length);
        const seats = Array.isArray(frame.seats) ? frame.seats : [];
        const goes = this.game.append(this.seat, events, phases, seats);
        if (goes) this.game.go(this.game.last.value);
        return goes;
      }
    });
  }
  id;
  seat;
  game = new GameStore();
  state = new SeatState(salt());
  /** Counts what changed in `state`. */
  version = y3(0);
  ready = y3(false);
  ended = y3(false);
  /** The role card is held: what one alone knows is shown. */
  peeks = y3(false);
  watch;
  stops;
  connected = feed.state === "open";
  stop() {
    feed.keep = false;
    this.watch.stop();
    for (const stop of this.stops) stop();
  }
  get me() {
    return this.game.doc.value.seats.find((seat) => seat.seat === this.seat);
  }
  get name() {
    return this.me?.name ?? "";
  }
  answer(ask2, answer) {
    if (this.state.guarded(ask2, nowMs())) return false;
    const message = this.state.answer(ask2, answer, nowMs());
    feed.send(message);
    this.version.value++;
    return true;
  }
  /** "Are you there?" - yes. */
  here() {
    this.state.areYouThere = false;
    feed.send({ type: "here" });
    this.version.value++;
  }
  tick() {
    if (this.state.expire(nowMs())) this.version.value++;
  }
  reconnected() {
    const open = feed.state === "open";
    if (open && !this.connected) for (const message of this.state.resend()) feed.send(message);
    this.connected = open;
  }
  // Over: everything may be seen, and is.
  async end() {
    if (this.ended.value) return;
    this.ended.value = true;
    try {
      this.game.status.value = "finished";
      await this.game.choose("all");
      this.game.go(this.game.last.value);
    } catch {
    }
  }
};
function keptDraft(game, kind) {
  try {
    const draft = JSON.parse(kept(`draft.${kind}`) ?? "null");
    return draft?.game === game ? String(draft.text) : "";
  } catch {
    return "";
  }
}
function keepDraft(game, kind, text) {
  keep(`draft.${kind}`, JSON.stringify({ game, text }));
}

// src/seat/ahead.ts
var NOT_AHEAD = -1;
var oneLine = (text) => text.replace(/\s*\n\s*/g, " ").trim();
function lostOf(desk, ask2, text) {
  if (!ask2.length) return "";
  const limit = lengthLimit(ask2.length, oneLine(text), desk.game.doc.value.seats.map((seat) => seat.name), desk.seat);
  return limit.lost > 0 ? cutOff(oneLine(text), limit.text) : "";
}
function useAhead(desk, ask2, text, ahead) {
  A2(() => {
    if (!ask2 || ahead.value === NOT_AHEAD) return;
    const wanted = ask2.kind === "talk" && !ask2.standing && ahead.value === desk.game.table.value.day && lostOf(desk, ask2, text.value) === "";
    if (!wanted) {
      ahead.value = NOT_AHEAD;
      return;
    }
    const timer = setTimeout(() => {
      if (ahead.value !== NOT_AHEAD) desk.answer(ask2, { text: oneLine(text.value) });
      ahead.value = NOT_AHEAD;
    }, Math.max(0, ask2.at + GUARD_MS + 20 - nowMs()));
    return () => clearTimeout(timer);
  }, [desk, ask2?.ask]);
}

// src/seat/Targets.tsx
var inField = (target) => target instanceof Element && target.closest("input,textarea,select,button,a,summary") !== null;
function seatName(desk, seat) {
  const name = desk.game.course.value.names[seat] ?? "";
  return name === "" || isNumberName(name) ? String(seat) : shown(name);
}
var question = (ask2) => t5(ask2.kind === "vote" && ask2.revote ? "ask_revote" : `ask_${ask2.kind}`);
function useDigits(ask2, choose2, confirm) {
  const typed = T2({ digits: "", at: 0 });
  const latest = T2({ choose: choose2, confirm });
  latest.current = { choose: choose2, confirm };
  A2(() => {
    const pressed = (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing || keysOn.value === "off") return;
      if (event.target instanceof Element && event.target.closest("input,textarea,select")) return;
      if (event.key === "Enter" && !inField(event.target)) {
        event.preventDefault();
        latest.current.confirm();
      }
      if (!/^[0-9]$/.test(event.key)) return;
      const now = performance.now();
      const digits = (now - typed.current.at < 800 ? typed.current.digits : "") + event.key;
      typed.current = { digits: digits.slice(-2), at: now };
      const seat = typedTarget(typed.current.digits, ask2.targets);
      if (seat === void 0) return;
      event.preventDefault();
      latest.current.choose(seat);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [ask2.ask, ask2.targets.join()]);
}
function Targets({ desk, ask: ask2 }) {
  void desk.version.value;
  const chosen = useSignal(ask2.answered?.target ?? 0);
  const group = T2(null);
  const pending = desk.state.isPending(ask2.ask);
  const answered = ask2.answered?.target;
  const choose2 = (seat) => {
    if (!desk.state.guarded(ask2, performance.now())) chosen.value = seat;
  };
  const confirm = () => {
    if (chosen.value > 0 && !pending && chosen.value !== answered) desk.answer(ask2, { target: chosen.value });
  };
  useDigits(ask2, choose2, confirm);
  A2(() => {
    if (!ask2.targets.includes(chosen.value)) chosen.value = 0;
  }, [ask2.targets.join()]);
  A2(() => {
    const field = document.activeElement;
    if (!(field instanceof HTMLTextAreaElement && field.value !== "")) group.current?.focus({ preventScroll: true });
  }, [ask2.ask]);
  const name = chosen.value > 0 ? seatName(desk, chosen.value) : "";
  return /* @__PURE__ */ a4("div", { class: "targets", role: "group", "aria-label": question(ask2), ref: group, tabIndex: -1, children: [
    /* @__PURE__ */ a4("h2", { class: "question", children: question(ask2) }),
    /* @__PURE__ */ a4("ul", { class: "targetlist", children: ask2.targets.map((seat) => /* @__PURE__ */ a4("li", { children: /* @__PURE__ */ a4(
      "button",
      {
        type: "button",
        class: `target s${seat}`,
        "aria-pressed": chosen.value === seat,
        title: shown(desk.game.course.value.names[seat] ?? ""),
        onClick: () => choose2(seat),
        onKeyDown: (event) => {
          if (event.key !== "Enter" || chosen.value !== seat || event.repeat) return;
          event.preventDefault();
          confirm();
        },
        children: [
          /* @__PURE__ */ a4(Face, { seat, name: desk.game.course.value.names[seat] ?? "" }),
          /* @__PURE__ */ a4("span", { class: "target-name", children: [
            /* @__PURE__ */ a4(Chip, { seat }),
            !isNumberName(desk.game.course.value.names[seat] ?? "") && /* @__PURE__ */ a4(Name, { text: desk.game.course.value.names[seat] ?? "" })
          ] })
        ]
      }
    ) }, seat)) }),
    /* @__PURE__ */ a4("div", { class: "confirm", children: [
      /* @__PURE__ */ a4("button", { type: "button", class: "button strong", disabled: chosen.value === 0 || pending || chosen.value === answered, onClick: confirm, children: pending ? t5("sending") : chosen.value === 0 ? t5("chooseFirst") : t5(`do_${ask2.kind}`, { name }) }),
      ask2.withdraw && /* @__PURE__ */ a4("button", { type: "button", class: "button", disabled: pending || (answered ?? 0) === 0, onClick: () => desk.answer(ask2, { target: 0 }), children: t5("withdraw") }),
      answered !== void 0 && answered > 0 ? /* @__PURE__ */ a4("span", { class: "note", role: "status", children: t5("voteStands", { name: seatName(desk, answered) }) }) : /* @__PURE__ */ a4("span", { class: "note keyhint", children: t5("targetKeys") })
    ] })
  ] });
}
function RoleWish({ desk, ask: ask2 }) {
  void desk.version.value;
  const pending = desk.state.isPending(ask2.ask);
  return /* @__PURE__ */ a4("div", { class: "targets", role: "group", "aria-label": question(ask2), children: [
    /* @__PURE__ */ a4("h2", { class: "question", children: question(ask2) }),
    /* @__PURE__ */ a4("ul", { class: "targetlist roles", children: ROLES.map((role) => /* @__PURE__ */ a4("li", { children: /* @__PURE__ */ a4("button", { type: "button", class: "target", "aria-pressed": ask2.answered?.text === role, disabled: pending, onClick: () => desk.answer(ask2, { text: role }), children: [
      /* @__PURE__ */ a4(RoleSign, { role }),
      /* @__PURE__ */ a4("span", { class: "target-name", children: roleWord(role) })
    ] }) }, role)) })
  ] });
}

// src/seat/RoleCard.tsx
var wolfish = ["WEREWOLF", "POSSESSED"];
var sideOf = (role) => wolfish.includes(role) ? "WEREWOLF" : role === "FOX" ? "OTHERS" : "VILLAGER";
function resultText2(desk, event) {
  const name = seatName(desk, event.target ?? 0);
  if (!event.target) return void 0;
  if (event.kind === "guard") return t5("resultGuard", { day: momentText(event.day, true), name });
  return t5("resultDivine", { day: momentText(event.day, event.kind === "divine"), name, what: event.species === "WEREWOLF" ? t5("speciesWEREWOLF") : t5("speciesHUMAN") });
}
function ownResults2(desk) {
  return desk.game.doc.value.events.filter((event) => event.seat === desk.seat && (event.kind === "divine" || event.kind === "identify" || event.kind === "guard"));
}
function Card({ desk, role }) {
  const mates = desk.game.doc.value.seats.filter((seat) => seat.seat !== desk.seat && seat.role !== void 0);
  const results2 = ownResults2(desk).map((event) => resultText2(desk, event)).filter((text) => text !== void 0);
  if (!role) return /* @__PURE__ */ a4("div", { class: "rolecard", children: /* @__PURE__ */ a4("p", { children: t5("roleUnknown") }) });
  return /* @__PURE__ */ a4("div", { class: "rolecard", children: [
    /* @__PURE__ */ a4("p", { class: `rolehead r-${role}`, children: [
      /* @__PURE__ */ a4(RoleSign, { role }),
      /* @__PURE__ */ a4("strong", { children: roleWord(role) })
    ] }),
    /* @__PURE__ */ a4("p", { class: "note", children: t5(`side${sideOf(role)}`) }),
    mates.length > 0 && /* @__PURE__ */ a4($, { children: [
      /* @__PURE__ */ a4("h3", { children: t5("roleMates") }),
      /* @__PURE__ */ a4("ul", { children: mates.map((mate) => /* @__PURE__ */ a4("li", { children: [
        /* @__PURE__ */ a4(Who, { seat: mate.seat, name: mate.name }),
        " ",
        mate.role && roleWord(mate.role)
      ] }, mate.seat)) })
    ] }),
    results2.length > 0 && /* @__PURE__ */ a4($, { children: [
      /* @__PURE__ */ a4("h3", { children: t5("roleResults") }),
      /* @__PURE__ */ a4("ul", { children: results2.map((text, i4) => /* @__PURE__ */ a4("li", { children: text }, i4)) })
    ] })
  ] });
}
function RoleButton({ desk }) {
  const open = desk.peeks;
  const role = desk.me?.role;
  const show = (on) => () => {
    open.value = on;
  };
  return /* @__PURE__ */ a4("span", { class: "rolehold", children: [
    /* @__PURE__ */ a4(
      "button",
      {
        type: "button",
        class: "button",
        "aria-expanded": open.value,
        title: t5("roleHold"),
        onPointerDown: (event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          open.value = true;
        },
        onPointerUp: show(false),
        onPointerCancel: show(false),
        onContextMenu: (event) => event.preventDefault(),
        onBlur: show(false),
        onClick: (event) => {
          if (event.detail === 0) open.value = !open.value;
        },
        children: [
          /* @__PURE__ */ a4("svg", { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true", children: [
            /* @__PURE__ */ a4("rect", { x: "4", y: "2.500", width: "12", height: "15", rx: "2.500", fill: "none", stroke: "currentColor", "stroke-width": "1.700" }),
            /* @__PURE__ */ a4("path", { d: "M10 7l2.200 3L10 13l-2.200-3z", fill: "currentColor" })
          ] }),
          /* @__PURE__ */ a4("span", { class: "rolebutton", children: t5("roleCard") })
        ]
      }
    ),
    open.value && /* @__PURE__ */ a4("div", { class: "rolepop", role: "status", children: /* @__PURE__ */ a4(Card, { desk, role }) })
  ] });
}

// src/seat/Builder.tsx
var frames = ["plain", "request", "inquire", "because", "not"];
var known2 = ["VILLAGER", "SEER", "MEDIUM", "BODYGUARD", "WEREWOLF", "POSSESSED", "FREEMASON", "FOX", "HUMAN"];
var wordText = (word) => word && known2.includes(word) ? t5(`a_${word}`) : word ?? "";
var quickText = (quick) => t5(quick.key, { n: String(quick.seat ?? ""), word: wordText(quick.word) });
function knowledge(desk, whisper, about2) {
  const verbs = { divine: "DIVINED", identify: "IDENTIFIED", guard: "GUARDED" };
  return {
    me: desk.seat,
    role: desk.me?.role ?? "VILLAGER",
    whisper,
    about: about2,
    results: ownResults2(desk).filter((event) => event.target).map((event) => ({
      verb: verbs[event.kind],
      target: event.target ?? 0,
      ...event.kind !== "guard" && event.species ? { species: event.species } : {}
    }))
  };
}
function refs(desk, whisper) {
  const spoken = desk.game.doc.value.events.filter((event) => event.kind === (whisper ? "whisper" : "talk") && !event.quiet && event.seat !== desk.seat);
  return spoken.slice(-8).reverse().map((event) => ({
    label: shown(event.plain?.[lang.value] ?? event.text ?? "").slice(0, 60),
    choice: { where: whisper ? "WHISPER" : "TALK", day: event.day, idx: event.idx ?? 0 },
    seat: event.seat ?? 0
  }));
}
function stepsOf(desk, draft, whisper) {
  const step = nextStep(draft).replace("reason.", "");
  const seats = desk.game.doc.value.seats.map((seat) => ({ label: "", choice: seat.seat, seat: seat.seat }));
  if (step === "verb") return verbsFor(whisper).map((verb) => ({ label: t5(`verb_${verb}`), choice: verb }));
  if (step === "whom") return [{ label: t5("builderAny"), choice: "ANY" }, ...seats];
  if (step === "target") return draft.frame === "inquire" ? [{ label: t5("builderAny"), choice: "ANY" }, ...seats] : seats;
  if (step === "word") return wordsOf((nextStep(draft).startsWith("reason") ? draft.reason : draft.said)?.verb).map((word) => ({ label: wordText(word), choice: word }));
  return step === "ref" ? refs(desk, whisper) : [];
}
function Steps({ desk, whisper, text }) {
  const draft = useSignal(emptyDraft);
  const step = nextStep(draft.value);
  const set = (next) => {
    draft.value = next;
    const done = draftText(next);
    if (done !== void 0) text.value = done;
  };
  const choices = stepsOf(desk, draft.value, whisper);
  const isReason = step.startsWith("reason.");
  return /* @__PURE__ */ a4("div", { class: "steps", children: [
    /* @__PURE__ */ a4("div", { class: "chips", role: "group", "aria-label": t5("builder"), children: frames.map((frame) => /* @__PURE__ */ a4("button", { type: "button", class: "pick", "aria-pressed": draft.value.frame === frame, onClick: () => set({ frame, said: {} }), children: t5(`builderFrame_${frame}`) }, frame)) }),
    /* @__PURE__ */ a4("p", { class: "note", role: "status", children: [
      isReason && t5("builderReason"),
      " ",
      step === "done" ? t5("builderDone") : t5(`builderStep_${step.replace("reason.", "")}`)
    ] }),
    step === "ref" && choices.length === 0 && /* @__PURE__ */ a4("p", { class: "note", children: t5("builderNoRef") }),
    /* @__PURE__ */ a4("div", { class: "chips", children: [
      choices.map((each, i4) => /* @__PURE__ */ a4("button", { type: "button", class: "pick", onClick: () => set(choose(draft.value, each.choice)), children: [
        each.seat !== void 0 && /* @__PURE__ */ a4(Chip, { seat: each.seat }),
        each.label
      ] }, `${step} ${i4}`)),
      (draft.value.said.verb !== void 0 || draft.value.whom !== void 0 || draft.value.reason?.verb !== void 0) && /* @__PURE__ */ a4("button", { type: "button", class: "pick quiet", onClick: () => set(back(draft.value)), children: [
        "← ",
        t5("builderBack")
      ] })
    ] })
  ] });
}
function Builder({ desk, whisper, text, about: about2 }) {
  const { game } = desk;
  const table2 = game.table.value;
  const alive = game.doc.value.seats.filter((seat) => seat.seat !== desk.seat && table2.seats[seat.seat]?.alive !== false);
  const quick = quickSentences(knowledge(desk, whisper, about2.value));
  return /* @__PURE__ */ a4("div", { class: "builder", children: [
    /* @__PURE__ */ a4("div", { class: "chips aboutlist", role: "group", "aria-label": t5("builderAbout"), children: [
      /* @__PURE__ */ a4("span", { class: "note", children: t5("builderAbout") }),
      alive.map((seat) => /* @__PURE__ */ a4("button", { type: "button", class: "pick small", "aria-pressed": about2.value === seat.seat, onClick: () => {
        about2.value = about2.value === seat.seat ? 0 : seat.seat;
      }, children: /* @__PURE__ */ a4(Chip, { seat: seat.seat }) }, seat.seat))
    ] }),
    about2.value === 0 && /* @__PURE__ */ a4("p", { class: "note", children: t5("builderPick") }),
    /* @__PURE__ */ a4("div", { class: "chips quick", role: "group", "aria-label": t5("builderQuick"), children: quick.map((each) => /* @__PURE__ */ a4("button", { type: "button", class: "pick", title: each.text, "aria-pressed": text.value === each.text, onClick: () => {
      text.value = each.text;
    }, children: quickText(each) }, each.text)) }),
    /* @__PURE__ */ a4("details", { children: [
      /* @__PURE__ */ a4("summary", { children: t5("builder") }),
      /* @__PURE__ */ a4(Steps, { desk, whisper, text })
    ] })
  ] });
}
function SentenceCheck({ text, refused }) {
  const checked2 = useSignal(null);
  A2(() => {
    checked2.value = null;
    const sentence2 = text.trim();
    if (sentence2 === "") return;
    let late = false;
    const ask2 = () => void post("lang", { texts: [sentence2] }).then(
      (answer) => {
        if (!late) checked2.value = answer.texts[0] ?? null;
      },
      () => {
        if (!late) timer = setTimeout(ask2, 3e3);
      }
      // a server that is busy, a network that was away
    );
    let timer = setTimeout(ask2, 250);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [text]);
  const now = checked2.value;
  if (text.trim() === "") return null;
  if (refused !== void 0) return /* @__PURE__ */ a4("p", { class: "sentencecheck bad-text", role: "alert", children: t5("refused", { why: refused }) });
  if (!now) return /* @__PURE__ */ a4("p", { class: "sentencecheck note", children: " " });
  const plain = typeof now.plain === "string" ? now.plain : now.plain?.[lang.value] ?? now.plain?.["en"] ?? "";
  return now.valid ? /* @__PURE__ */ a4("p", { class: "sentencecheck good", role: "status", children: t5("sentenceGood", { plain: shown(plain).replace(/Agent\[0*(\d+)\]/g, "$1") }) }) : /* @__PURE__ */ a4("p", { class: "sentencecheck bad-text", role: "status", children: t5("sentenceBad", { why: shown(now.error ?? "") }) });
}

// src/seat/Composer.tsx
function Remaining({ desk, ask: ask2, text }) {
  if (!ask2.length) return null;
  const names2 = desk.game.doc.value.seats.map((seat) => seat.name);
  const rest = lengthLeft(ask2.length, text, names2, desk.seat);
  if (!rest) return null;
  const words2 = ask2.length.unit === "words";
  const sentence2 = rest.over ? t5("lengthOver", { n: -rest.left }) : t5(words2 ? "lengthLeftWords" : "lengthLeft", { n: rest.left });
  return /* @__PURE__ */ a4("span", { class: rest.over ? "remaining over" : rest.left <= 10 ? "remaining few" : "remaining", title: sentence2, children: [
    /* @__PURE__ */ a4("span", { "aria-hidden": "true", children: rest.left }),
    /* @__PURE__ */ a4("span", { class: "unseen", children: sentence2 })
  ] });
}
function CutNotice({ desk, ask: ask2, text }) {
  const lost = lostOf(desk, ask2, text);
  return lost === "" ? null : /* @__PURE__ */ a4("p", { class: "cutnotice", role: "status", children: [
    t5("willBeCut", { text: "" }),
    /* @__PURE__ */ a4("del", { children: /* @__PURE__ */ a4("bdi", { children: shown(lost) }) })
  ] });
}
function AheadLine({ marked, empty, unmark }) {
  return /* @__PURE__ */ a4("p", { class: marked ? "aheadline marked" : "aheadline note", children: [
    /* @__PURE__ */ a4("span", { role: "status", children: marked ? t5("aheadMarked") : empty ? "" : t5("aheadHint") }),
    marked && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: unmark, children: t5("aheadBack") })
  ] });
}
function Composer({ desk, ask: ask2, kind, text, whom, ahead }) {
  void desk.version.value;
  const field = T2(null);
  const pending = ask2 !== void 0 && desk.state.isPending(ask2.ask);
  const needsTarget = ask2?.kind === "whisper_to" && !ask2.targets.includes(whom.value);
  const empty = text.value.trim() === "";
  const marked = !ask2 && ahead.value !== NOT_AHEAD;
  const before = T2({ ask: 0, text: "" });
  if (before.current.ask !== (ask2?.ask ?? 0)) before.current = { ask: ask2?.ask ?? 0, text: text.value };
  const waits = ask2 !== void 0 && !pending && !ask2.standing && !empty && ahead.value === NOT_AHEAD && before.current.text === text.value;
  F2(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = "auto";
    area.style.height = `${Math.min(area.scrollHeight + 2, 160)}px`;
  }, [text.value, ask2?.ask]);
  A2(() => {
    if (ask2 && matchMedia("(pointer: fine)").matches && (document.activeElement === document.body || document.activeElement === null)) field.current?.focus({ preventScroll: true });
  }, [ask2?.ask]);
  const send = (what) => {
    if (!ask2 && what !== "") ahead.value = desk.game.table.value.day;
    if (!ask2 || pending || what === "" || needsTarget) return;
    desk.answer(ask2, { text: what, ...ask2.kind === "whisper_to" ? { target: whom.value } : {} });
  };
  return /* @__PURE__ */ a4("form", { class: "composer", onSubmit: (event) => {
    event.preventDefault();
    send(oneLine(text.value));
  }, children: [
    ask2?.kind === "whisper_to" && /* @__PURE__ */ a4("select", { class: "field", "aria-label": t5("ask_whisper_to"), value: whom.value, onChange: (event) => {
      whom.value = Number(event.currentTarget.value);
    }, children: [
      /* @__PURE__ */ a4("option", { value: 0, children: t5("chooseFirst") }),
      ask2.targets.map((seat) => /* @__PURE__ */ a4("option", { value: seat, children: t5("do_whisper_to", { name: seatName(desk, seat) }) }, seat))
    ] }),
    /* @__PURE__ */ a4("div", { class: "writeline", children: [
      /* @__PURE__ */ a4(
        "textarea",
        {
          ref: field,
          class: "field write",
          rows: 1,
          value: text.value,
          maxLength: ask2?.maxChars ?? 8e3,
          autocomplete: "off",
          enterkeyhint: "send",
          id: "write",
          "aria-label": t5(kind === "talk" ? "writeHere" : "writeWhisper"),
          placeholder: t5(ask2 ? kind === "talk" ? "writeHere" : "writeWhisper" : "writeAhead"),
          onInput: (event) => {
            text.value = event.currentTarget.value;
            ahead.value = NOT_AHEAD;
          },
          onKeyDown: (event) => {
            if (event.key !== "Enter" || event.isComposing || event.keyCode === 229 || event.shiftKey) return;
            event.preventDefault();
            send(oneLine(text.value));
          }
        }
      ),
      ask2 && /* @__PURE__ */ a4(Remaining, { desk, ask: ask2, text: text.value }),
      /* @__PURE__ */ a4("button", { type: "submit", class: "button strong square sendbutton", disabled: pending || empty || needsTarget || marked, "aria-label": t5(ask2 ? "send" : "sendAhead"), title: t5(ask2 ? "send" : "sendAhead"), children: /* @__PURE__ */ a4("svg", { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true", children: /* @__PURE__ */ a4("path", { d: "M3 3.500 17.500 10 3 16.500 5 10.800 12 10 5 9.200z", fill: "currentColor" }) }) })
    ] }),
    ask2 ? /* @__PURE__ */ a4(CutNotice, { desk, ask: ask2, text: text.value }) : /* @__PURE__ */ a4(AheadLine, { marked, empty, unmark: () => {
      ahead.value = NOT_AHEAD;
    } }),
    waits && /* @__PURE__ */ a4("p", { class: "aheadline note", role: "status", children: t5("draftWaits") })
  ] });
}
function QuietButtons({ desk, ask: ask2 }) {
  void desk.version.value;
  const pending = desk.state.isPending(ask2.ask);
  const say = (text) => () => void desk.answer(ask2, { text });
  return /* @__PURE__ */ a4($, { children: [
    ask2.may.includes("skip") && /* @__PURE__ */ a4("button", { type: "button", class: "button", disabled: pending || ask2.skipsLeft === 0, title: t5("skipHint"), onClick: say("Skip"), children: [
      t5("skip"),
      ask2.skipsLeft !== void 0 && /* @__PURE__ */ a4("span", { class: "note", children: t5("skipsLeft", { n: ask2.skipsLeft }) })
    ] }),
    ask2.may.includes("over") && /* @__PURE__ */ a4("button", { type: "button", class: "button", disabled: pending, title: t5("overHint"), onClick: say("Over"), children: t5("over") })
  ] });
}

// src/seat/Countdown.tsx
var around2 = 2 * Math.PI * 15;
function Countdown2({ until, total, frozen, loud }) {
  const left2 = useSignal(Math.max(0, frozen ?? until - nowMs()));
  const saying = useSignal(0);
  const before = T2(left2.value);
  A2(() => {
    before.current = Infinity;
    saying.value = 0;
    const tick = () => {
      const now = Math.max(0, frozen ?? until - nowMs());
      const mark = Number.isFinite(before.current) ? secondsToSay(before.current, now) : 0;
      if (mark && loud) saying.value = mark;
      before.current = now;
      left2.value = now;
    };
    tick();
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [until, total, frozen, loud]);
  const soon = loud && left2.value <= 1e4;
  const part = total > 0 ? Math.min(1, left2.value / total) : 0;
  return /* @__PURE__ */ a4("span", { class: soon ? "countdown soon" : "countdown", children: [
    /* @__PURE__ */ a4("svg", { viewBox: "0 0 36 36", "aria-hidden": "true", children: [
      /* @__PURE__ */ a4("circle", { cx: "18", cy: "18", r: "15", class: "ring-ground" }),
      /* @__PURE__ */ a4("circle", { cx: "18", cy: "18", r: "15", class: "ring-left", "stroke-dasharray": `${(around2 * part).toFixed(2)} ${around2.toFixed(2)}`, transform: "rotate(-90 18 18)" })
    ] }),
    /* @__PURE__ */ a4("span", { role: "timer", "aria-label": t5("timeLeft"), "aria-live": "off", children: clockText(left2.value) }),
    /* @__PURE__ */ a4("span", { class: "unseen", role: "status", children: saying.value > 0 && t5("secondsLeft", { n: saying.value }) })
  ] });
}

// src/seat/EndCard.tsx
var winnerOf = (doc) => doc.winner ?? doc.events.findLast((event) => event.kind === "end")?.winner;
function verdict(desk, winner) {
  const role = desk.me?.role;
  if (!winner || !role) return t5("endTitle");
  const won = winner === (sideOf(role) === "OTHERS" ? "FOX" : sideOf(role));
  return t5(won ? "endWon" : "endLost");
}
function EndCard({ desk, room }) {
  const doc = desk.game.doc.value;
  const winner = winnerOf(doc);
  const roles = doc.seats.some((seat) => seat.role !== void 0 && seat.seat !== desk.seat);
  return /* @__PURE__ */ a4("section", { class: "endcard", "aria-label": t5("endTitle"), children: [
    /* @__PURE__ */ a4("h2", { children: verdict(desk, winner) }),
    winner && /* @__PURE__ */ a4("p", { class: "note", children: t5(`winner${winner}`) }),
    roles && /* @__PURE__ */ a4("ul", { class: "whowas", children: doc.seats.map((seat) => /* @__PURE__ */ a4("li", { class: seat.seat === desk.seat ? "own" : "", children: [
      /* @__PURE__ */ a4(Who, { seat: seat.seat, name: seat.name }),
      seat.role && /* @__PURE__ */ a4(RoleWord, { role: seat.role }),
      (seat.agent ?? seat.kind) && /* @__PURE__ */ a4("bdi", { class: "note", children: shown(seat.agent ?? seat.kind ?? "") }),
      seat.points !== void 0 && /* @__PURE__ */ a4("span", { class: "note", children: seat.points })
    ] }, seat.seat)) }),
    /* @__PURE__ */ a4("p", { class: "acts", children: [
      room && /* @__PURE__ */ a4("a", { class: "button strong", href: roomPath(room), children: t5("endAgain") }),
      /* @__PURE__ */ a4("a", { class: "button", href: gamePath(desk.id), children: t5("endReplay") })
    ] })
  ] });
}

// src/seat/Strip.tsx
function Strip({ desk, press, about: about2 }) {
  const { game } = desk;
  const course2 = game.course.value;
  const table2 = game.table.value;
  const seats = course2.doc.seats;
  const speaks = desk.watch.typing.value || (table2.talk && course2.event(table2.n) === table2.talk ? table2.talk.seat : 0);
  const protocol = course2.doc.division === "protocol";
  return /* @__PURE__ */ a4("ul", { class: seats.length > 9 ? "seatstrip two" : "seatstrip", style: { "--n": seats.length > 9 ? Math.ceil(seats.length / 2) : seats.length }, children: seats.map((seat) => {
    const alive = table2.seats[seat.seat]?.alive !== false;
    const name = isNumberName(seat.name) ? String(seat.seat) : shown(seat.name);
    const classes = ["stripseat", `s${seat.seat}`, ...alive ? [] : ["dead"], ...speaks === seat.seat ? ["speaks"] : [], ...desk.seat === seat.seat ? ["own"] : [], ...about2 === seat.seat ? ["about"] : []];
    return /* @__PURE__ */ a4("li", { children: /* @__PURE__ */ a4(
      "button",
      {
        type: "button",
        class: classes.join(" "),
        onClick: () => press(seat.seat),
        title: name,
        "aria-label": `${seat.seat} ${name === String(seat.seat) ? "" : name} ${desk.seat === seat.seat ? t5("seatYou") : alive ? "" : t5("isDead")} – ${t5(protocol ? "talkAbout" : "mention", { name })}`,
        children: [
          /* @__PURE__ */ a4(Face, { seat: seat.seat, name: seat.name, dead: !alive }),
          /* @__PURE__ */ a4(Chip, { seat: seat.seat })
        ]
      }
    ) }, seat.seat);
  }) });
}

// src/pages/SeatPage.tsx
function TimeLeft({ desk }) {
  void desk.version.value;
  const asks = desk.state.asks.filter((ask3) => ask3.until !== void 0).sort((a5, b3) => (a5.until ?? 0) - (b3.until ?? 0));
  const [ask2] = asks;
  if (ask2?.until !== void 0) return /* @__PURE__ */ a4(Countdown2, { until: ask2.until, total: ask2.total ?? 0, loud: true }, ask2.ask);
  const clock2 = desk.watch.clock.value;
  if (!clock2 || desk.ended.value) return null;
  return /* @__PURE__ */ a4(Countdown2, { until: clock2.at + clock2.leftMs, total: clock2.leftMs, loud: false, ...clock2.paused ? { frozen: clock2.leftMs } : {} }, clock2.at);
}
function whenText2(desk) {
  void desk.version.value;
  const table2 = desk.game.table.value;
  if (desk.ended.value) return t5("endTitle");
  const asked2 = (desk.state.speech ?? desk.state.choices[0])?.kind;
  if (asked2 === "vote") return `${momentText(table2.day, false)} · ${t5("phase_vote")}`;
  if (table2.night || asked2 === "divine" || asked2 === "guard" || asked2 === "attack") return momentText(table2.day, true);
  return `${momentText(table2.day, false)} · ${t5(`phase_${table2.action}`)}`;
}
function stateText(desk, speech2, choices) {
  if (desk.ended.value) return "";
  if (speech2?.kind === "talk") {
    const turns = speech2.turnsLeft === void 0 ? "" : ` · ${t5("turnsLeft", { n: speech2.turnsLeft })}`;
    return (speech2.standing ? t5("speakAnytime") : t5("yourTurn")) + turns;
  }
  if (speech2) return t5(speech2.kind === "whisper" ? "yourWhisper" : "ask_whisper_to");
  if (choices.length > 0) return "";
  const table2 = desk.game.table.value;
  if (table2.seats[desk.seat]?.alive === false) return t5("youAreDead");
  if (table2.night) return t5("nightWait");
  const typing = desk.watch.typing.value;
  return typing > 0 && typing !== desk.seat ? t5("waitingFor", { name: seatName(desk, typing) }) : t5("waiting");
}
function OutcomeLine({ outcome }) {
  if (!outcome) return null;
  if (!outcome.taken) return /* @__PURE__ */ a4("p", { class: "outcome bad-text", role: "alert", children: outcome.code === "stale" && outcome.sent.text !== void 0 ? t5("tooLate") : t5("refused", { why: shown(outcome.error ?? outcome.code ?? "") }) });
  const lost = outcome.sent.text !== void 0 && outcome.text !== void 0 ? cutOff(outcome.sent.text, outcome.text) : "";
  return lost === "" ? null : /* @__PURE__ */ a4("p", { class: "outcome", role: "status", children: [
    t5("wasCut", { text: "" }),
    /* @__PURE__ */ a4("del", { children: /* @__PURE__ */ a4("bdi", { children: shown(lost) }) })
  ] });
}
var AreYouThere = ({ desk }) => /* @__PURE__ */ a4("div", { class: "there", role: "alertdialog", "aria-labelledby": "there-title", "aria-describedby": "there-text", children: [
  /* @__PURE__ */ a4("div", { children: [
    /* @__PURE__ */ a4("h2", { id: "there-title", children: t5("thereTitle") }),
    /* @__PURE__ */ a4("p", { id: "there-text", children: t5("thereText") })
  ] }),
  /* @__PURE__ */ a4("button", { type: "button", class: "button strong", onClick: () => desk.here(), children: t5("thereYes") })
] });
function useDraft(desk, kind, text) {
  F2(() => {
    text.value = keptDraft(desk.id, kind);
    return x2(() => keepDraft(desk.id, kind, text.value));
  }, [desk, kind]);
  A2(() => x2(() => {
    void desk.version.value;
    const outcome = desk.state.outcome;
    if (!outcome || outcome.sent.text === void 0 || !isSpeech(outcome.kind)) return;
    const quiet = outcome.sent.text === "Skip" || outcome.sent.text === "Over";
    if (outcome.taken && text.peek().replace(/\s+/g, " ").trim() === outcome.sent.text.trim()) text.value = "";
    if (!outcome.taken && !quiet && text.peek().trim() === "") text.value = outcome.sent.text;
  }), [desk]);
}
function Dock({ desk, room, writing }) {
  void desk.version.value;
  const { speech: speech2, choices, outcome, areYouThere } = desk.state;
  const kind = speech2?.kind ?? "talk";
  useDraft(desk, kind, writing.text);
  useAhead(desk, speech2, writing.text, writing.ahead);
  const dead = desk.game.table.value.seats[desk.seat]?.alive === false;
  const protocol = desk.game.doc.value.division === "protocol";
  const state = stateText(desk, speech2, choices);
  const writes = speech2 !== void 0 || !dead && !desk.ended.value && choices.length === 0;
  const ofSentence = writes && protocol && outcome?.code === "no-sentence";
  const refused = ofSentence && outcome.sent.text?.trim() === writing.text.value.trim() ? shown(outcome.error ?? "") : void 0;
  return /* @__PURE__ */ a4("section", { class: speech2 || choices.length > 0 ? "dock asked" : "dock", "aria-label": t5("yourTurn"), children: [
    areYouThere && /* @__PURE__ */ a4(AreYouThere, { desk }),
    desk.ended.value && /* @__PURE__ */ a4(EndCard, { desk, room }),
    /* @__PURE__ */ a4("p", { class: speech2 ? "dockstate asked" : "dockstate", role: "status", children: state }),
    !ofSentence && /* @__PURE__ */ a4(OutcomeLine, { outcome }),
    choices.map((ask2) => ask2.kind === "role_wish" ? /* @__PURE__ */ a4(RoleWish, { desk, ask: ask2 }, ask2.ask) : /* @__PURE__ */ a4(Targets, { desk, ask: ask2 }, ask2.ask)),
    writes && protocol && speech2 && /* @__PURE__ */ a4(Builder, { desk, whisper: speech2.kind === "whisper", text: writing.text, about: writing.about }),
    writes && /* @__PURE__ */ a4(Composer, { desk, ask: speech2, kind, text: writing.text, whom: writing.whom, ahead: writing.ahead }),
    writes && protocol && /* @__PURE__ */ a4(SentenceCheck, { text: writing.text.value, refused }),
    /* @__PURE__ */ a4("div", { class: speech2 ? "dockacts full" : "dockacts", children: [
      speech2 && /* @__PURE__ */ a4(QuietButtons, { desk, ask: speech2 }),
      /* @__PURE__ */ a4("span", { class: "space" }),
      !desk.ended.value && /* @__PURE__ */ a4(RoleButton, { desk })
    ] })
  ] });
}
var More = ({ room }) => /* @__PURE__ */ a4("details", { class: "moremenu", children: [
  /* @__PURE__ */ a4("summary", { class: "button square", "aria-label": t5("moreThings"), title: t5("moreThings"), children: /* @__PURE__ */ a4("span", { "aria-hidden": "true", children: "⋯" }) }),
  /* @__PURE__ */ a4("div", { class: "menu", children: [
    /* @__PURE__ */ a4(LangButton, {}),
    /* @__PURE__ */ a4(ThemeButton, {}),
    room && /* @__PURE__ */ a4("a", { class: "button", href: roomPath(room), children: t5("homeRooms") }),
    /* @__PURE__ */ a4("label", { class: "switch", children: [
      /* @__PURE__ */ a4("input", { type: "checkbox", checked: keysOn.value === "on", onChange: (event) => {
        keysOn.value = event.currentTarget.checked ? "on" : "off";
      } }),
      t5("keys")
    ] })
  ] })
] });
function StatusLine({ desk }) {
  const course2 = desk.game.course.value;
  const event = course2.event(desk.game.resting.value);
  const deed = event && !["talk", "whisper", "fault", "notice"].includes(event.kind);
  const tells = event && (aloud.value === "all" || aloud.value === "deeds" && deed);
  return /* @__PURE__ */ a4("div", { class: "unseen", role: "status", children: tells ? momentSentence(course2, event, true) : "" });
}
function useTableKey(shows) {
  A2(() => {
    const pressed = (event) => {
      if (event.key !== "t" || event.ctrlKey || event.altKey || event.metaKey || event.isComposing || keysOn.value === "off") return;
      if (event.target instanceof Element && event.target.closest("input,textarea,select")) return;
      shows.value = shows.value === "log" ? "table" : "log";
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}
function useBottom(ready) {
  const box = T2(null);
  F2(() => {
    const log = box.current?.querySelector(".log");
    if (!log || !box.current) return;
    let height2 = log.clientHeight;
    const watcher = new ResizeObserver(() => {
      const wasAtEnd = log.scrollTop + height2 >= log.scrollHeight - 40;
      height2 = log.clientHeight;
      if (wasAtEnd) log.scrollTop = log.scrollHeight;
    });
    watcher.observe(log);
    return () => watcher.disconnect();
  }, [ready]);
  return box;
}
function swipes(shows) {
  let from;
  return {
    onTouchStart: (event) => {
      const touch = event.touches[0];
      from = touch && event.touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : void 0;
    },
    onTouchEnd: (event) => {
      const touch = event.changedTouches[0];
      if (!from || !touch) return;
      const [dx, dy] = [touch.clientX - from.x, touch.clientY - from.y];
      if (Math.abs(dx) > 60 && Math.abs(dx) > 2 * Math.abs(dy)) shows.value = dx < 0 ? "table" : "log";
      from = void 0;
    }
  };
}
function Play({ room, id, seat }) {
  const desk = w2(() => new Desk2(id, seat), [id, seat]);
  const shows = useSignal("log");
  const writing = { text: useSignal(""), about: useSignal(0), whom: useSignal(0), ahead: useSignal(NOT_AHEAD) };
  const swipe = w2(() => swipes(shows), []);
  const box = useBottom(desk.ready.value);
  A2(() => () => desk.stop(), [desk]);
  useEach(1e3, () => desk.tick());
  useTableKey(shows);
  useTitle(desk.ready.value ? whenText2(desk) : "");
  void lang.value;
  const trouble = desk.watch.trouble.value;
  if (!desk.ready.value) return /* @__PURE__ */ a4(Frame, { title: t5("siteName"), children: trouble ? /* @__PURE__ */ a4(Trouble, { trouble, again: () => void desk.watch.load() }) : /* @__PURE__ */ a4(Loading, {}) });
  const doc = desk.game.doc.value;
  const mention = (to) => {
    if (doc.division === "protocol") {
      writing.about.value = to === seat ? 0 : to;
      return;
    }
    if (to === seat) return;
    const name = doc.seats.find((each) => each.seat === to)?.name ?? "";
    const text = writing.text.value;
    writing.text.value = `${text}${text === "" || text.endsWith(" ") ? "" : " "}@${name} `;
    document.getElementById("write")?.focus();
  };
  return /* @__PURE__ */ a4("div", { class: `screen seatpage shows-${shows.value}${desk.peeks.value || desk.ended.value ? "" : " discreet"}`, style: hues(doc.seats.length), children: [
    /* @__PURE__ */ a4(FaceDefs, { seats: doc.seats }),
    /* @__PURE__ */ a4("header", { class: "topbar", children: [
      /* @__PURE__ */ a4("a", { class: "brand", href: base, "aria-label": t5("toHome"), children: /* @__PURE__ */ a4(Mark, {}) }),
      /* @__PURE__ */ a4("h1", { class: "title", "aria-live": "off", children: whenText2(desk) }),
      /* @__PURE__ */ a4("span", { class: "space" }),
      /* @__PURE__ */ a4(TimeLeft, { desk }),
      /* @__PURE__ */ a4("div", { class: "showswitch", role: "group", "aria-label": t5("panels"), children: [
        /* @__PURE__ */ a4("button", { type: "button", class: "tab", "aria-pressed": shows.value === "log", onClick: () => {
          shows.value = "log";
        }, children: t5("showLog") }),
        /* @__PURE__ */ a4("button", { type: "button", class: "tab", "aria-pressed": shows.value === "table", onClick: () => {
          shows.value = "table";
        }, children: t5("showTable") })
      ] }),
      /* @__PURE__ */ a4(More, { room })
    ] }),
    /* @__PURE__ */ a4("main", { class: "seatmain", children: [
      /* @__PURE__ */ a4("div", { class: "seattable", ...swipe, children: /* @__PURE__ */ a4(Stage, { game: desk.game, onView: mention }) }),
      /* @__PURE__ */ a4("div", { class: "seatside", children: [
        /* @__PURE__ */ a4("div", { class: "seatstripbox", children: /* @__PURE__ */ a4(Strip, { desk, press: mention, about: writing.about.value }) }),
        /* @__PURE__ */ a4("div", { class: "seatlog", ref: box, ...swipe, children: [
          /* @__PURE__ */ a4("h2", { class: "unseen", children: t5("tab_log") }),
          /* @__PURE__ */ a4(Log, { game: desk.game, telling: desk.game.telling.value }, `${id}/${String(desk.game.view.value)}`)
        ] }),
        /* @__PURE__ */ a4(Dock, { desk, room, writing })
      ] })
    ] }),
    /* @__PURE__ */ a4(StatusLine, { desk })
  ] });
}
function Waiting({ room }) {
  return /* @__PURE__ */ a4(Frame, { title: room.title || room.code, children: /* @__PURE__ */ a4(Empty, { title: t5("seatWaiting"), children: [
    /* @__PURE__ */ a4("p", { children: room.you && t5("roomYouSit", { name: shown(room.you.name) }) }),
    /* @__PURE__ */ a4("p", { class: "acts", children: /* @__PURE__ */ a4("a", { class: "button strong", href: roomPath(room.code), children: t5("homeRooms") }) })
  ] }) });
}
function SeatPage(_4) {
  const { value, trouble, again } = useLoaded("seat");
  const room = value.value;
  const code = room?.code ?? "";
  const shownGame = useSignal(null);
  A2(() => {
    if (!code) return;
    const deaf = feed.onMessage((message) => {
      if (message.type === "room" && message.code === code && value.value) value.value = mergedRoom(value.value, message);
    });
    const leave = feed.follow({ type: "watch", room: code });
    return () => {
      deaf();
      leave();
    };
  }, [code]);
  useEach(5e3, () => {
    if (!shownGame.value) again();
  });
  const playing = room?.you?.playing ? room : null;
  const [game, seat] = [playing?.game, playing?.you?.seat];
  A2(() => {
    if (game && seat && (shownGame.value?.id !== game || shownGame.value.seat !== seat)) shownGame.value = { id: game, seat };
  }, [game, seat]);
  if (shownGame.value) return /* @__PURE__ */ a4(Play, { room: code, ...shownGame.value }, `${shownGame.value.id} ${shownGame.value.seat}`);
  if (room && room.you && room.you.place !== "none") return /* @__PURE__ */ a4(Waiting, { room });
  if (room || trouble.value?.status === 404 || trouble.value?.status === 401) return /* @__PURE__ */ a4(Frame, { title: t5("siteName"), children: /* @__PURE__ */ a4(Empty, { title: t5("seatNone"), children: [
    /* @__PURE__ */ a4("p", { children: t5("seatNoneText") }),
    /* @__PURE__ */ a4("p", { class: "acts", children: /* @__PURE__ */ a4("a", { class: "button", href: base, children: t5("toHome") }) })
  ] }) });
  return /* @__PURE__ */ a4(Frame, { title: t5("siteName"), children: trouble.value ? /* @__PURE__ */ a4(Trouble, { trouble: trouble.value, again }) : /* @__PURE__ */ a4(Loading, {}) });
}

// src/pages/SessionPage.tsx
var Rounds = ({ session }) => /* @__PURE__ */ a4("section", { class: "block", children: [
  /* @__PURE__ */ a4("div", { class: "block-head", children: [
    /* @__PURE__ */ a4("h2", { children: t5("sessionRounds") }),
    /* @__PURE__ */ a4("label", { class: "switch", children: [
      /* @__PURE__ */ a4("input", { type: "checkbox", checked: results.value === "shown", onChange: (event) => {
        results.value = event.currentTarget.checked ? "shown" : "hidden";
      } }),
      t5("showResults")
    ] })
  ] }),
  /* @__PURE__ */ a4("ul", { class: "items panel", children: session.rounds.map((round) => /* @__PURE__ */ a4("li", { class: "item", children: [
    /* @__PURE__ */ a4("a", { class: "item-main", href: gamePath(round.game), children: [
      /* @__PURE__ */ a4("span", { class: "item-name", children: t5("roundN", { n: round.round }) }),
      round.players !== void 0 && /* @__PURE__ */ a4("span", { class: "note", children: t5("playersN", { n: round.players }) })
    ] }),
    results.value === "shown" && round.winner && /* @__PURE__ */ a4("span", { class: `pill won-${round.winner}`, children: t5(`winner${round.winner}`) }),
    statusWord(round.status) && /* @__PURE__ */ a4("span", { class: round.status === "running" ? "pill live" : "pill", children: statusWord(round.status) })
  ] }, round.game)) })
] });
var Points = ({ session }) => /* @__PURE__ */ a4("section", { class: "block", children: [
  /* @__PURE__ */ a4("div", { class: "block-head", children: /* @__PURE__ */ a4("h2", { id: "points", children: t5("sessionPoints") }) }),
  /* @__PURE__ */ a4("div", { class: "panel scroll", tabIndex: 0, role: "region", "aria-labelledby": "points", children: /* @__PURE__ */ a4("table", { class: "sheet", children: [
    /* @__PURE__ */ a4("thead", { children: /* @__PURE__ */ a4("tr", { children: [
      /* @__PURE__ */ a4("th", { scope: "col", children: t5("sessionPlayer") }),
      session.rounds.map((round) => /* @__PURE__ */ a4("th", { scope: "col", children: /* @__PURE__ */ a4("a", { href: gamePath(round.game), children: round.round }) }, round.game)),
      /* @__PURE__ */ a4("th", { scope: "col", children: t5("sessionTotal") })
    ] }) }),
    /* @__PURE__ */ a4("tbody", { children: [...session.seats].sort((a5, b3) => (b3.total ?? 0) - (a5.total ?? 0)).map((seat) => /* @__PURE__ */ a4("tr", { children: [
      /* @__PURE__ */ a4("th", { scope: "row", children: [
        /* @__PURE__ */ a4("bdi", { class: "name", children: shown(seat.name) }),
        seat.agent !== void 0 && /* @__PURE__ */ a4($, { children: [
          " ",
          /* @__PURE__ */ a4("bdi", { class: "note", children: shown(seat.agent) })
        ] })
      ] }),
      session.rounds.map((round, i4) => /* @__PURE__ */ a4("td", { children: seat.points?.[i4] ?? "–" }, round.game)),
      /* @__PURE__ */ a4("td", { class: "sum", children: seat.total === void 0 ? "–" : num(seat.total) })
    ] }, seat.name)) })
  ] }) })
] });
function SessionPage({ id }) {
  const { value, trouble, again } = useLoaded(`sessions/${encodeURIComponent(id)}`);
  const session = value.value;
  return /* @__PURE__ */ a4(Frame, { title: session?.name ?? id, children: session ? /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4(Rounds, { session }),
    results.value === "shown" && session.seats.length > 0 && /* @__PURE__ */ a4(Points, { session })
  ] }) : trouble.value ? /* @__PURE__ */ a4(Trouble, { trouble: trouble.value, again }) : /* @__PURE__ */ a4(Loading, {}) });
}

// src/mind_figures.ts
function figuresOf(decisions) {
  const sources = /* @__PURE__ */ new Map();
  const made = { decisions: decisions.length, sources: [], tokensIn: 0, tokensOut: 0, cost: void 0, latency: [], leaks: 0, refusals: 0 };
  for (const decision of decisions) {
    const source = decision.source ?? "model";
    sources.set(source, (sources.get(source) ?? 0) + 1);
    made.tokensIn += decision.prompt_tokens ?? 0;
    made.tokensOut += decision.answer_tokens ?? 0;
    if (decision.cost !== void 0) made.cost = (made.cost ?? 0) + decision.cost;
    const took = decision.latency_ms ?? decision.took_ms;
    if (took !== void 0) made.latency.push(took);
    if (decision.suppressed) made.leaks++;
    if (decision.outcome === "refused" || decision.trouble !== void 0) made.refusals++;
  }
  made.latency.sort((a5, b3) => a5 - b3);
  made.sources = [...sources].sort((a5, b3) => b3[1] - a5[1]);
  return made;
}
var listened = (decision) => decision.action === "listen" && !decision.message && decision.target === void 0;
function quantile(values, part) {
  return values[Math.min(values.length - 1, Math.max(0, Math.ceil(part * values.length) - 1))];
}
function promptMessages(lines2, number) {
  const byNumber = new Map(lines2.map((line) => [line.prompt, line]));
  const own = [];
  for (let at2 = number; at2 !== void 0; ) {
    const line = byNumber.get(at2);
    if (!line || line.as !== void 0 && line.as >= line.prompt) return void 0;
    own.push(line);
    at2 = line.as;
  }
  let messages = [];
  for (const line of own.reverse()) {
    const same = messages.slice(0, line.same ?? 0).map((message) => ({ ...message, before: true }));
    messages = [...same, ...(line.messages ?? []).map((message) => ({ role: String(message.role), content: String(message.content), before: false }))];
  }
  return messages;
}
function decisionsAt(decisions, at2, until) {
  const made = [];
  let n3 = -1;
  for (const decision of decisions) {
    n3 = Math.max(n3, decision.a === void 0 ? n3 : at2(decision.a) ?? n3);
    if (n3 <= until) made.push(decision);
  }
  return made.reverse();
}

// src/pages/Mind.tsx
var unfolded = y3(false);
var SHOWN_FIRST = 60;
var seconds = (ms) => ms === void 0 ? "–" : `${new Intl.NumberFormat(lang.value, { maximumFractionDigits: ms < 1e4 ? 1 : 0 }).format(ms / 1e3)} s`;
var money = (value, currency) => `≈ ${new Intl.NumberFormat(lang.value, { maximumFractionDigits: value < 1 ? 4 : 2 }).format(value)} ${currency ?? ""}`;
var sourceWord = (source) => source === "fallback" ? t5("source_rule") : ["model", "repaired", "rule", "demo"].includes(source) ? t5(`source_${source}`) : shown(source);
function Strip2({ latency, most }) {
  const x4 = (ms) => 4 + ms / Math.max(most, 1) * 112;
  const p50 = quantile(latency, 0.5);
  const p95 = quantile(latency, 0.95);
  if (p50 === void 0 || p95 === void 0) return /* @__PURE__ */ a4($, { children: "–" });
  return /* @__PURE__ */ a4("span", { class: "strip", children: [
    /* @__PURE__ */ a4("svg", { viewBox: "0 0 120 16", "aria-hidden": "true", children: [
      /* @__PURE__ */ a4("path", { d: "M4 8h112", class: "strip-line" }),
      latency.slice(-200).map((ms, i4) => /* @__PURE__ */ a4("circle", { cx: x4(ms).toFixed(1), cy: "8", r: "2.2", class: "strip-dot" }, i4)),
      /* @__PURE__ */ a4("path", { d: `M${x4(p50).toFixed(1)} 2v12M${x4(p95).toFixed(1)} 2v12`, class: "strip-mark" })
    ] }),
    /* @__PURE__ */ a4("span", { children: [
      seconds(p50),
      " / ",
      seconds(p95)
    ] })
  ] });
}
function Seats({ mind, chosen, choose: choose2 }) {
  const rows = mind.seats.map((seat) => ({ seat, figures: figuresOf(mind.decisions.filter((each) => each.seat === seat.seat)) }));
  const most = Math.max(1, ...rows.map((row) => row.figures.latency[row.figures.latency.length - 1] ?? 0));
  return /* @__PURE__ */ a4("div", { class: "panel scroll", tabIndex: 0, role: "region", "aria-label": t5("mindSeat"), children: /* @__PURE__ */ a4("table", { class: "sheet minds", children: [
    /* @__PURE__ */ a4("thead", { children: /* @__PURE__ */ a4("tr", { children: ["mindSeat", "mindModel", "mindDecisions", "mindTokens", "mindCost", "mindLatency", "mindLeaks", "mindRefusals"].map((word) => /* @__PURE__ */ a4("th", { scope: "col", children: t5(word) }, word)) }) }),
    /* @__PURE__ */ a4("tbody", { children: rows.map(({ seat, figures }) => /* @__PURE__ */ a4("tr", { class: chosen === seat.seat ? "chosen" : "", children: [
      /* @__PURE__ */ a4("th", { scope: "row", children: /* @__PURE__ */ a4("button", { type: "button", class: "link", "aria-pressed": chosen === seat.seat, onClick: () => choose2(chosen === seat.seat ? 0 : seat.seat), children: /* @__PURE__ */ a4(Who, { seat: seat.seat, name: seat.name }) }) }),
      /* @__PURE__ */ a4("td", { children: /* @__PURE__ */ a4("bdi", { children: shown(seat.model ?? seat.kind ?? "–") }) }),
      /* @__PURE__ */ a4("td", { children: figures.sources.length > 0 ? figures.sources.map(([source, n3]) => `${num(n3)} ${sourceWord(source)}`).join(" · ") : num(figures.decisions) }),
      /* @__PURE__ */ a4("td", { class: "right", children: [
        num(figures.tokensIn),
        " / ",
        num(figures.tokensOut)
      ] }),
      /* @__PURE__ */ a4("td", { class: "right", children: seat.cost !== void 0 || figures.cost !== void 0 ? money(seat.cost ?? figures.cost ?? 0, mind.currency) : "–" }),
      /* @__PURE__ */ a4("td", { children: /* @__PURE__ */ a4(Strip2, { latency: figures.latency, most }) }),
      /* @__PURE__ */ a4("td", { class: "right", children: num(figures.leaks) }),
      /* @__PURE__ */ a4("td", { class: "right", children: num(figures.refusals) })
    ] }, seat.seat)) })
  ] }) });
}
var Fold = ({ title, text }) => /* @__PURE__ */ a4("details", { class: "fold", open: unfolded.value, children: [
  /* @__PURE__ */ a4("summary", { children: title }),
  /* @__PURE__ */ a4("pre", { children: /* @__PURE__ */ a4("bdi", { children: shown(text) }) })
] });
function promptText(mind, seat, number) {
  const lines2 = mind.prompts?.find((each) => each.seat === seat)?.lines;
  if (number === void 0 || !lines2) return void 0;
  const messages = promptMessages(lines2, number);
  return messages && messages.map((message) => `${message.before ? "= " : ""}[${message.role}]
${message.content}`).join("\n\n");
}
function DecisionRow({ decision, mind }) {
  const { message, thought, raw, reason, why, trouble, reasoning, line, first_raw, first_wrong } = decision;
  const filter = typeof decision.suppressed === "string" ? decision.suppressed : decision.flagged;
  const asked2 = promptText(mind, decision.seat, decision.prompt);
  const name = mind.seats.find((each) => each.seat === decision.seat)?.name ?? "";
  const target = decision.target === void 0 ? "" : ` → ${decision.target}`;
  return /* @__PURE__ */ a4("li", { class: "decision", children: [
    /* @__PURE__ */ a4("div", { class: "decision-head", children: [
      /* @__PURE__ */ a4(Who, { seat: decision.seat, name }),
      /* @__PURE__ */ a4("span", { class: "pill", children: [
        shown(decision.task ?? decision.action ?? ""),
        shown(target)
      ] }),
      decision.source && decision.source !== "model" && /* @__PURE__ */ a4("span", { class: "pill warn", children: sourceWord(decision.source) }),
      /* @__PURE__ */ a4("span", { class: "note", children: [
        decision.t_ms !== void 0 && clockText(decision.t_ms),
        " ",
        seconds(decision.latency_ms ?? decision.took_ms)
      ] }),
      decision.a !== void 0 && /* @__PURE__ */ a4("a", { class: "note", href: `${gamePath(mind.game)}#at=${encodeURIComponent(decision.a)}`, children: t5("mindToMoment") })
    ] }),
    thought && /* @__PURE__ */ a4("p", { class: "thought", children: [
      /* @__PURE__ */ a4("span", { class: "unseen", children: [
        t5("mindThought"),
        ": "
      ] }),
      /* @__PURE__ */ a4("bdi", { children: shown(thought) })
    ] }),
    listened(decision) && /* @__PURE__ */ a4("p", { class: "note", children: t5("mindListened") }),
    message && /* @__PURE__ */ a4("p", { class: "spoken", children: [
      /* @__PURE__ */ a4("span", { class: "unseen", children: [
        t5("mindSaid"),
        ": "
      ] }),
      /* @__PURE__ */ a4("bdi", { children: shown(message) })
    ] }),
    line && /* @__PURE__ */ a4("p", { class: "note", children: [
      t5("mindHeldBack"),
      filter && ` (${filter === "leak" ? t5("mindLeak") : filter === "repeat" ? t5("mindRepeat") : shown(filter)})`,
      ": ",
      /* @__PURE__ */ a4("s", { children: /* @__PURE__ */ a4("bdi", { children: shown(line) }) })
    ] }),
    (reason ?? why) && /* @__PURE__ */ a4("p", { class: "note", children: [
      t5("mindWhy"),
      ": ",
      /* @__PURE__ */ a4("bdi", { children: shown(reason ?? why ?? "") })
    ] }),
    trouble && /* @__PURE__ */ a4("p", { class: "bad-text", children: /* @__PURE__ */ a4("bdi", { children: shown(trouble) }) }),
    asked2 !== void 0 && /* @__PURE__ */ a4(Fold, { title: t5("mindPrompt", { n: decision.prompt ?? 0 }), text: asked2 }),
    first_raw && /* @__PURE__ */ a4(Fold, { title: t5("mindFirst"), text: first_wrong ? `${first_raw}

${first_wrong}` : first_raw }),
    reasoning && /* @__PURE__ */ a4(Fold, { title: t5("mindReasoning"), text: reasoning }),
    raw && /* @__PURE__ */ a4(Fold, { title: t5("mindRaw"), text: raw })
  ] });
}
function Decisions({ mind, chosen }) {
  const more = useSignal(SHOWN_FIRST);
  const all = mind.decisions.filter((each) => chosen === 0 || each.seat === chosen).reverse();
  return /* @__PURE__ */ a4("section", { class: "block", children: [
    /* @__PURE__ */ a4("div", { class: "block-head", children: [
      /* @__PURE__ */ a4("h2", { children: [
        t5("mindDecisions"),
        " ",
        /* @__PURE__ */ a4("span", { class: "howmany", children: chosen === 0 ? t5("mindAll") : /* @__PURE__ */ a4(Chip, { seat: chosen }) })
      ] }),
      /* @__PURE__ */ a4("label", { class: "switch", children: [
        /* @__PURE__ */ a4("input", { type: "checkbox", checked: unfolded.value, onChange: (event) => {
          unfolded.value = event.currentTarget.checked;
        } }),
        t5("mindUnfold")
      ] })
    ] }),
    all.length === 0 && /* @__PURE__ */ a4("p", { class: "note", children: t5("mindNothing") }),
    /* @__PURE__ */ a4("ol", { class: "decisions", children: all.slice(0, more.value).map((decision, i4) => /* @__PURE__ */ a4(DecisionRow, { decision, mind }, all.length - i4)) }),
    all.length > more.value && /* @__PURE__ */ a4("p", { class: "after", children: /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => {
      more.value += SHOWN_FIRST;
    }, children: t5("moreThings") }) })
  ] });
}
function Mind({ id }) {
  const { value, trouble, again } = useLoaded(`games/${encodeURIComponent(id)}/mind`);
  const chosen = useSignal(0);
  const home = useLoaded("home");
  const mind = value.value;
  const live = (home.value.value?.live ?? []).some((table2) => table2.id === (mind?.game ?? id) && !table2.over);
  useEach(3e3, () => {
    if (!live) return;
    again();
    home.again();
  });
  A2(() => {
    document.documentElement.classList.toggle("watched", live);
    return () => document.documentElement.classList.remove("watched");
  }, [live]);
  return /* @__PURE__ */ a4(Frame, { title: live ? t5("mindLiveTitle") : `${t5("mindTitle")} ${id}`, wide: true, children: [
    live && /* @__PURE__ */ a4("p", { class: "warning", role: "note", children: [
      /* @__PURE__ */ a4("strong", { children: t5("mindLiveTitle") }),
      " ",
      t5("mindLiveText")
    ] }),
    mind ? /* @__PURE__ */ a4("div", { style: hues(mind.players ?? Math.max(0, ...mind.seats.map((seat) => seat.seat))), children: [
      /* @__PURE__ */ a4("p", { class: "note lead", children: /* @__PURE__ */ a4("a", { href: gamePath(mind.game), children: /* @__PURE__ */ a4("bdi", { children: shown(mind.game) }) }) }),
      mind.seats.length === 0 ? /* @__PURE__ */ a4(Empty, { title: t5("mindNothing") }) : /* @__PURE__ */ a4(Seats, { mind, chosen: chosen.value, choose: (seat) => {
        chosen.value = seat;
      } }),
      /* @__PURE__ */ a4(Decisions, { mind, chosen: chosen.value })
    ] }) : trouble.value ? /* @__PURE__ */ a4(Trouble, { trouble: trouble.value, again }) : /* @__PURE__ */ a4(Loading, {})
  ] });
}

// src/pages/Wall.tsx
function Wall(_4) {
  const asked2 = Number(new URLSearchParams(location.search).get("tables") ?? WATCHES_MAX);
  const count = Math.min(WATCHES_MAX, Math.max(1, Number.isInteger(asked2) ? asked2 : WATCHES_MAX));
  const { value, trouble, again } = useLoaded("home");
  const shownIds = useSignal([]);
  A2(() => {
    feed.keep = true;
    return () => {
      feed.keep = false;
    };
  }, []);
  useEach(5e3, again);
  const names2 = w2(() => /* @__PURE__ */ new Map(), []);
  const ended = w2(() => /* @__PURE__ */ new Map(), []);
  const data = value.value;
  nameTables(names2, data?.rooms ?? []);
  A2(() => {
    if (!data) return;
    const live = data.live ?? [];
    const played = live.filter((table2) => !table2.over).map((table2) => table2.id);
    shownIds.value = placeTables(shownIds.value, played, lingering(shownIds.value, live, ended, performance.now()), count);
  }, [data]);
  const ids = shownIds.value;
  const places = [1, 2, 4, 6, WATCHES_MAX].find((each) => ids.length <= each);
  return /* @__PURE__ */ a4(Frame, { title: t5("wallTitle"), wide: true, children: ids.length > 0 ? /* @__PURE__ */ a4("ul", { class: `wall of${places}`, children: ids.map((id) => /* @__PURE__ */ a4("li", { class: "tile", children: /* @__PURE__ */ a4(LiveTable, { id, title: names2.get(id), names: true }) }, id)) }) : value.value ? /* @__PURE__ */ a4(Empty, { title: t5("wallNothing"), children: /* @__PURE__ */ a4("p", { children: t5("wallNothingText") }) }) : trouble.value ? /* @__PURE__ */ a4(Trouble, { trouble: trouble.value, again }) : /* @__PURE__ */ a4(Loading, {}) });
}

// src/routes.tsx
var ContestGame = ({ id }) => /* @__PURE__ */ a4(GamePage, { id, source: ofContest(id) ?? ofServer(id) });
var routes = [
  { word: "", withId: false, page: Home },
  { word: "g", withId: true, page: GamePage },
  { word: "s", withId: true, page: SessionPage },
  { word: "r", withId: true, page: RoomPage },
  { word: "mind", withId: true, page: Mind },
  { word: "seat", withId: false, page: SeatPage },
  { word: "wall", withId: false, page: Wall },
  { word: "open", withId: false, page: Open },
  { word: "search", withId: false, page: Search },
  { word: "operator", withId: false, page: Operator },
  { word: "login", withId: false, page: Login }
];
function pageAt(path) {
  if (ofContest(path)) return { page: ContestGame, id: path };
  const rest = path.startsWith(base) ? path.slice(base.length) : path === "/web" ? "" : path.slice(1);
  const slash = rest.indexOf("/");
  const word = slash < 0 ? rest : rest.slice(0, slash);
  const id = slash < 0 ? "" : rest.slice(slash + 1);
  const row = routes.find((each) => each.word === word && each.withId === (id !== ""));
  return row ? { page: row.page, id: decoded(id) } : { page: Missing, id: "" };
}
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// src/game/Controls.tsx
var icons = {
  first: "M5 4v12M15 4.500v11L7.500 10z",
  back: "M13.500 4.500v11L6 10z",
  play: "M6 4l9.500 6L6 16z",
  pause: "M6 4.500h2.800v11H6zM11.200 4.500H14v11h-2.800z",
  forward: "M6.500 4.500v11L14 10z",
  lastEvent: "M15 4v12M5 4.500v11l7.500-5.500z",
  link: "M8.500 11.500a3 3 0 0 0 4.300.3l2.600-2.600a3 3 0 0 0-4.300-4.300L9.800 6.200M11.500 8.500a3 3 0 0 0-4.300-.3l-2.600 2.600a3 3 0 0 0 4.300 4.300l1.300-1.300",
  course: "M2.500 10C5 6.200 7.500 5 10 5s5 1.200 7.500 5C15 13.800 12.500 15 10 15s-5-1.200-7.500-5zM10 7.800a2.200 2.200 0 1 0 .01 0z",
  more: "M4.500 8.300a1.700 1.700 0 1 0 .01 0zM10 8.300a1.700 1.700 0 1 0 .01 0zM15.500 8.300a1.700 1.700 0 1 0 .01 0z",
  find: "M8.800 3.500a5.300 5.300 0 1 0 .01 0zM12.800 12.800l4 4",
  save: "M10 3.500v8M6.500 8.500l3.500 3.500 3.500-3.500M4 15.500h12",
  keys: "M3 5.500h14v9H3zM6 12h8M5.800 8.200h.1M8.600 8.200h.1M11.400 8.200h.1M14.200 8.200h.1"
};
var ControlIcon = ({ name }) => /* @__PURE__ */ a4("svg", { class: `icon i-${name}`, viewBox: "0 0 20 20", "aria-hidden": "true", children: /* @__PURE__ */ a4("path", { d: icons[name] }) });
function restMs(event) {
  if (!event) return 400;
  switch (event.kind) {
    case "talk":
    case "whisper":
      return event.quiet ? 160 : 700 + Math.min(3300, (event.text ?? "").length * 26);
    case "vote":
    case "attack_vote":
      return 420;
    case "day":
    case "night":
      return 1e3;
    case "execute":
    case "death":
      return 1600;
    default:
      return 900;
  }
}
function usePlaying(game) {
  A2(() => {
    let timer;
    const step = () => {
      if (!game.playing.value) return;
      if (game.cursor.value >= game.last.value) {
        game.playing.value = false;
        return;
      }
      game.go(game.cursor.value + 1);
      wait();
    };
    const wait = () => {
      timer = setTimeout(step, restMs(game.course.value.event(game.cursor.value)) / game.speed.value);
    };
    const stop = game.playing.subscribe((playing) => {
      clearTimeout(timer);
      if (playing) wait();
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [game]);
}
function togglePlay(game) {
  if (!game.playing.value && game.cursor.value >= game.last.value) game.go(0);
  game.playing.value = !game.playing.value;
}
function changeSpeed(game, step) {
  const at2 = speeds.indexOf(game.speed.value);
  game.speed.value = speeds[Math.max(0, Math.min(speeds.length - 1, at2 + step))] ?? 1;
}
function Key({ game, name, go, disabled }) {
  return /* @__PURE__ */ a4(
    "button",
    {
      type: "button",
      class: "button square",
      "aria-label": t5(name),
      title: t5(name),
      "aria-disabled": disabled,
      onClick: () => {
        game.playing.value = false;
        game.go(go());
      },
      children: /* @__PURE__ */ a4(ControlIcon, { name })
    }
  );
}
var SpeedSelect = ({ game, label }) => /* @__PURE__ */ a4(
  "select",
  {
    class: "field speed",
    "aria-label": label,
    title: label,
    value: String(game.speed.value),
    onChange: (change2) => {
      game.speed.value = Number(change2.currentTarget.value);
    },
    children: speeds.map((speed) => /* @__PURE__ */ a4("option", { value: String(speed), children: `${speed}×` }, speed))
  }
);
var mayHideCourse = (game) => game.view.value === "public" && game.status.value !== "running";
function Controls({ game, onLink, onMenu }) {
  const at2 = game.cursor.value;
  const last = game.last.value;
  const playing = game.playing.value;
  const hidden2 = mayHideCourse(game) && course.value === "reached" && game.reached.value < last;
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("div", { class: "controls", children: [
      /* @__PURE__ */ a4(Key, { game, name: "first", go: () => 0, disabled: at2 === 0 }),
      /* @__PURE__ */ a4(Key, { game, name: "back", go: () => game.cursor.value - 1, disabled: at2 === 0 }),
      /* @__PURE__ */ a4("button", { type: "button", class: "button square strong", "aria-label": t5(playing ? "pause" : "play"), title: t5(playing ? "pause" : "play"), onClick: () => togglePlay(game), children: /* @__PURE__ */ a4(ControlIcon, { name: playing ? "pause" : "play" }) }),
      /* @__PURE__ */ a4(Key, { game, name: "forward", go: () => game.cursor.value + 1, disabled: at2 >= last }),
      /* @__PURE__ */ a4(Key, { game, name: "lastEvent", go: () => last, disabled: at2 >= last })
    ] }),
    /* @__PURE__ */ a4("div", { class: "figures", children: [
      /* @__PURE__ */ a4("span", { class: "position", children: hidden2 ? num(at2 + 1) : t5("position", { at: at2 + 1, all: last + 1 }) }),
      /* @__PURE__ */ a4("span", { class: "wide-only", children: /* @__PURE__ */ a4(SpeedSelect, { game, label: t5("speed") }) }),
      mayHideCourse(game) && /* @__PURE__ */ a4(
        "button",
        {
          type: "button",
          class: "button square quiet wide-only",
          "aria-pressed": course.value === "whole",
          "aria-label": t5("wholeCourse"),
          title: t5("wholeCourse"),
          onClick: () => {
            course.value = course.value === "whole" ? "reached" : "whole";
          },
          children: /* @__PURE__ */ a4(ControlIcon, { name: "course" })
        }
      ),
      /* @__PURE__ */ a4("button", { type: "button", class: "button square quiet wide-only", "aria-label": t5("copyLink"), title: t5("copyLink"), onClick: onLink, children: /* @__PURE__ */ a4(ControlIcon, { name: "link" }) }),
      /* @__PURE__ */ a4("button", { type: "button", class: "button square quiet", "aria-label": t5("more"), title: t5("more"), onClick: onMenu, children: /* @__PURE__ */ a4(ControlIcon, { name: "more" }) })
    ] })
  ] });
}

// src/game/Find.tsx
function found(course2, words2, until, language) {
  const wanted = words2.trim().toLocaleLowerCase();
  if (wanted === "") return [];
  const made = [];
  for (let n3 = 0; n3 <= until; n3++) {
    const event = course2.event(n3);
    if (!event || event.text === void 0 || event.quiet) continue;
    const plain = event.plain?.[language] ?? "";
    const name = course2.names[event.seat ?? 0] ?? "";
    if (`${name} ${event.text} ${plain}`.toLocaleLowerCase().includes(wanted)) made.push(n3);
  }
  return made;
}
function Find({ game, onClose }) {
  const words2 = useSignal("");
  const field = T2(null);
  F2(() => field.current?.focus(), []);
  void game.grown.value;
  const hits = found(game.course.value, words2.value, game.last.value, lang.value);
  const at2 = game.cursor.value;
  const place2 = hits.indexOf(at2);
  const go = (step) => {
    const next = step > 0 ? hits.find((n3) => n3 > at2) ?? hits[0] : hits.filter((n3) => n3 < at2).pop() ?? hits[hits.length - 1];
    if (next !== void 0) game.go(next);
  };
  return /* @__PURE__ */ a4("form", { class: "find", role: "search", onSubmit: (submit) => {
    submit.preventDefault();
    go(1);
  }, children: [
    /* @__PURE__ */ a4(
      "input",
      {
        ref: field,
        class: "field",
        type: "search",
        "aria-label": t5("find"),
        placeholder: t5("find"),
        value: words2.value,
        onInput: (input) => {
          words2.value = input.currentTarget.value;
        },
        onKeyDown: (key) => {
          if (key.isComposing) return;
          if (key.key === "Escape") onClose();
          else if (key.key === "Enter" && key.shiftKey) {
            key.preventDefault();
            go(-1);
          }
        }
      }
    ),
    /* @__PURE__ */ a4("span", { class: "note", role: "status", children: words2.value.trim() === "" ? "" : hits.length === 0 ? t5("findNone") : t5("findCount", { at: place2 >= 0 ? place2 + 1 : "–", n: hits.length }) }),
    /* @__PURE__ */ a4("button", { type: "button", class: "button square quiet", "aria-label": t5("findBefore"), onClick: () => go(-1), children: "↑" }),
    /* @__PURE__ */ a4("button", { type: "submit", class: "button square quiet", "aria-label": t5("findNext"), children: "↓" }),
    /* @__PURE__ */ a4("button", { type: "button", class: "button square quiet", "aria-label": t5("close"), onClick: onClose, children: "✕" })
  ] });
}

// src/game/GameBar.tsx
function choiceText(game, view) {
  if (view === "public") return t5("viewPublic");
  if (view === "all") return t5("viewAll");
  const text = seatText(game.course.value, view);
  return /^\d+$/.test(text) ? t5("viewSeat", { seat: text }) : text;
}
function ViewSelect({ game, onView }) {
  const choices = game.choices;
  return /* @__PURE__ */ a4("label", { class: "viewchoice", children: [
    /* @__PURE__ */ a4("span", { class: "note wide-only", children: t5("view") }),
    /* @__PURE__ */ a4(
      "select",
      {
        class: "field",
        "aria-label": t5("view"),
        value: String(game.view.value),
        onChange: (change2) => {
          const value = change2.currentTarget.value;
          onView(value === "public" || value === "all" ? value : Number(value));
        },
        children: choices.map((view) => /* @__PURE__ */ a4("option", { value: String(view), children: choiceText(game, view) }, String(view)))
      }
    )
  ] });
}
var TabBar = ({ game }) => /* @__PURE__ */ a4("div", { class: "tabs", role: "tablist", "aria-label": t5("panels"), children: tabs.filter((tab) => tab !== "mind" || game.hasMind.value).map((tab) => /* @__PURE__ */ a4(
  "button",
  {
    type: "button",
    role: "tab",
    id: `tab-${tab}`,
    "aria-selected": game.tab.value === tab,
    "aria-controls": "panel",
    tabIndex: game.tab.value === tab ? 0 : -1,
    class: "tab",
    onClick: () => {
      game.tab.value = tab;
    },
    onKeyDown: (key) => moveTab(game, key),
    children: t5(`tab_${tab}`)
  },
  tab
)) });
function moveTab(game, key) {
  const step = key.key === "ArrowRight" ? 1 : key.key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return;
  key.preventDefault();
  const there = tabs.filter((tab) => tab !== "mind" || game.hasMind.value);
  const next = there[(there.indexOf(game.tab.value) + step + there.length) % there.length];
  game.tab.value = next;
  document.getElementById(`tab-${next}`)?.focus();
}
function RoundSelect({ game, onRound }) {
  const docs = shownDocs.value;
  if (docs.length < 2) return null;
  return /* @__PURE__ */ a4(
    "select",
    {
      class: "field rounds",
      "aria-label": t5("docRound"),
      value: String(docs.findIndex((doc) => doc.id === game.doc.value.id)),
      onChange: (change2) => onRound(Number(change2.currentTarget.value)),
      children: docs.map((doc, i4) => /* @__PURE__ */ a4("option", { value: String(i4), children: shown(doc.id) }, i4))
    }
  );
}
function LivePill({ game }) {
  const clock2 = game.clock.value;
  const left2 = useSignal("");
  A2(() => {
    if (!clock2) {
      left2.value = "";
      return;
    }
    const tell = () => {
      left2.value = clockText(clockLeft(clock2, performance.now()));
    };
    tell();
    const timer = setInterval(tell, 250);
    return () => clearInterval(timer);
  }, [clock2]);
  if (!game.following.value)
    return /* @__PURE__ */ a4("button", { type: "button", class: "button strong", onClick: () => game.go(game.last.value), children: t5("toLive") });
  return /* @__PURE__ */ a4("span", { class: "pill live", children: [
    /* @__PURE__ */ a4("i", {}),
    /* @__PURE__ */ a4("span", { children: t5("live") }),
    left2.value !== "" && /* @__PURE__ */ a4("b", { role: "timer", "aria-live": "off", children: left2.value })
  ] });
}
function GameBar({ game, home, onView, onRound }) {
  const doc = game.doc.value;
  const running = game.status.value === "running";
  const canShow = game.choices.includes("all") && !running;
  const open = game.view.value !== "public";
  return /* @__PURE__ */ a4(TopBar, { home, children: [
    /* @__PURE__ */ a4("h1", { class: "title", title: shown(doc.id), children: /* @__PURE__ */ a4(Name, { text: doc.id }) }),
    /* @__PURE__ */ a4(RoundSelect, { game, onRound }),
    /* @__PURE__ */ a4("span", { class: "note rules wide-only", children: t5("rulesPlayers", { rules: shown(doc.rules.name), n: doc.rules.players }) }),
    running && /* @__PURE__ */ a4(LivePill, { game }),
    (doc.status === "aborted" || doc.status === "truncated") && /* @__PURE__ */ a4("span", { class: "pill wide-only", children: t5(`status_${doc.status}`) }),
    /* @__PURE__ */ a4(ViewSelect, { game, onView }),
    canShow && /* @__PURE__ */ a4("button", { type: "button", class: "button reveal wide-only", "aria-pressed": open, onClick: () => onView(open ? "public" : "all"), children: open ? t5("hideRoles") : t5("showRoles") }),
    /* @__PURE__ */ a4("span", { class: "space" }),
    /* @__PURE__ */ a4(TabBar, { game })
  ] });
}

// src/parts/Dialog.tsx
function Dialog({ title, children, onClose, kind = "" }) {
  const dialog = T2(null);
  A2(() => dialog.current?.showModal(), []);
  return /* @__PURE__ */ a4(
    "dialog",
    {
      class: "dialog",
      ref: dialog,
      onClose,
      "aria-labelledby": "dialog-title",
      onClick: (press) => {
        if (press.target === dialog.current) dialog.current?.close();
      },
      children: /* @__PURE__ */ a4("div", { class: `dialogbody ${kind}`, children: [
        /* @__PURE__ */ a4("h2", { id: "dialog-title", children: title }),
        children,
        /* @__PURE__ */ a4("div", { class: "menufoot", children: /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => dialog.current?.close(), children: t4("close") }) })
      ] })
    }
  );
}

// src/game/KeyList.tsx
var list2 = [
  [["←", "→"], "key_arrows"],
  [["Shift ←", "Shift →"], "key_shift"],
  [["[", "]"], "key_days"],
  [["Home", "End"], "key_ends"],
  [["Space"], "key_space"],
  [["-", "+"], "key_speed"],
  [["1", "…", "9"], "key_views"],
  [["0"], "key_public"],
  [["r"], "key_all"],
  [["l", "v", "c", "s", "m"], "key_tabs"],
  [["o"], "key_original"],
  [["/"], "key_find"],
  [["y"], "key_link"],
  [["t"], "key_table"],
  [["?"], "key_list"]
];
var KeyList = ({ onClose }) => /* @__PURE__ */ a4(Dialog, { title: t5("keysTitle"), onClose, children: [
  /* @__PURE__ */ a4("dl", { class: "keylist", children: list2.map(([keys, word]) => /* @__PURE__ */ a4("div", { children: [
    /* @__PURE__ */ a4("dt", { children: keys.map((key) => key === "…" ? " … " : /* @__PURE__ */ a4("kbd", { children: key }, key)) }),
    /* @__PURE__ */ a4("dd", { children: t5(word) })
  ] }, word)) }),
  /* @__PURE__ */ a4("label", { class: "check", children: [
    /* @__PURE__ */ a4("input", { type: "checkbox", checked: keysOn.value === "on", onChange: (change2) => {
      keysOn.value = change2.currentTarget.checked ? "on" : "off";
    } }),
    " ",
    t5("keysSwitch")
  ] })
] });

// src/game/keys.ts
var inField2 = (target) => target instanceof Element && target.closest("input,textarea,select,[contenteditable]") !== null;
var tabKeys = { l: "log", v: "votes", c: "claims", s: "stances", m: "mind" };
function actKey(key, shift, game, acts) {
  const course2 = game.course.value;
  const at2 = game.cursor.value;
  const go = (n3) => {
    game.playing.value = false;
    if (n3 >= 0) game.go(n3);
    return true;
  };
  switch (key) {
    case "ArrowLeft":
      return go(shift ? course2.sameSeat(at2, -1) : at2 - 1);
    case "ArrowRight":
      return go(shift ? course2.sameSeat(at2, 1) : at2 + 1);
    case "[":
      return go(course2.otherDay(at2, -1));
    case "]":
      return go(course2.otherDay(at2, 1));
    case "Home":
      return go(0);
    case "End":
      return go(game.last.value);
    case " ":
      togglePlay(game);
      return true;
    case "-":
      changeSpeed(game, -1);
      return true;
    case "+":
      changeSpeed(game, 1);
      return true;
    case "0":
      acts.view("public");
      return true;
    case "r":
      acts.view("all");
      return true;
    case "o":
      sentences.value = sentences.value === "plain" ? "said" : "plain";
      return true;
    case "/":
      acts.find();
      return true;
    case "y":
      acts.link();
      return true;
    case "t":
      document.getElementById("table")?.focus();
      return true;
    case "?":
      acts.list();
      return true;
    default:
  }
  const tab = tabKeys[key];
  if (tab) {
    game.tab.value = tab;
    return true;
  }
  if (/^[1-9]$/.test(key) && course2.doc.seats.some((seat) => seat.seat === Number(key))) {
    acts.view(Number(key));
    return true;
  }
  return false;
}
function useKeys(game, acts) {
  A2(() => {
    const pressed = (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
      if (keysOn.value === "off" || inField2(event.target) || document.querySelector("dialog[open]")) return;
      if ((event.key === " " || event.key === "Enter") && event.target.closest?.("button,a,summary")) return;
      if (actKey(event.key, event.shiftKey, game, acts)) event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [game, acts]);
}

// src/game/Menu.tsx
var checked = (change2) => change2.currentTarget.checked;
function saveDoc(game) {
  const doc = game.doc.value;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(doc)], { type: "application/json" }));
  link.download = `${doc.id.replace(/[^A-Za-z0-9._-]/g, "_")}.${game.view.value}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1e4);
}
function Menu({ game, log, onClose, onLink, onKeys, onFind, onView }) {
  const doc = game.doc.value;
  const open = game.view.value !== "public";
  const away = (act) => () => {
    onClose();
    act();
  };
  const hasLog = log !== "" && game.fetchView !== null && game.status.value !== "running";
  return /* @__PURE__ */ a4(Dialog, { title: t5("more"), kind: "gamemenu", onClose, children: [
    game.choices.includes("all") && game.status.value !== "running" && /* @__PURE__ */ a4("button", { type: "button", class: "button strong", onClick: away(() => onView(open ? "public" : "all")), children: open ? t5("hideRoles") : t5("showRoles") }),
    /* @__PURE__ */ a4("label", { class: "menurow", children: [
      /* @__PURE__ */ a4("span", { children: t5("speed") }),
      /* @__PURE__ */ a4(SpeedSelect, { game, label: t5("speed") })
    ] }),
    mayHideCourse(game) && /* @__PURE__ */ a4("label", { class: "check", children: [
      /* @__PURE__ */ a4("input", { type: "checkbox", checked: course.value === "whole", onChange: (change2) => {
        course.value = checked(change2) ? "whole" : "reached";
      } }),
      " ",
      t5("wholeCourse")
    ] }),
    doc.lang === "aiwolf" && /* @__PURE__ */ a4("label", { class: "check", children: [
      /* @__PURE__ */ a4("input", { type: "checkbox", checked: sentences.value === "said", onChange: (change2) => {
        sentences.value = checked(change2) ? "said" : "plain";
      } }),
      " ",
      t5("originalOn")
    ] }),
    /* @__PURE__ */ a4("label", { class: "check", children: [
      /* @__PURE__ */ a4("input", { type: "checkbox", checked: keysOn.value === "on", onChange: (change2) => {
        keysOn.value = checked(change2) ? "on" : "off";
      } }),
      " ",
      t5("keysSwitch")
    ] }),
    /* @__PURE__ */ a4("label", { class: "menurow", children: [
      /* @__PURE__ */ a4("span", { children: t5("aloudTitle") }),
      /* @__PURE__ */ a4("select", { class: "field", value: aloud.value, onChange: (change2) => {
        aloud.value = change2.currentTarget.value;
      }, children: ["all", "deeds", "nothing"].map((each) => /* @__PURE__ */ a4("option", { value: each, children: t5(`aloud_${each}`) }, each)) })
    ] }),
    /* @__PURE__ */ a4("button", { type: "button", class: "button quiet", onClick: away(onFind), children: [
      /* @__PURE__ */ a4(ControlIcon, { name: "find" }),
      t5("find")
    ] }),
    /* @__PURE__ */ a4("button", { type: "button", class: "button quiet", onClick: away(onLink), children: [
      /* @__PURE__ */ a4(ControlIcon, { name: "link" }),
      t5("copyLink")
    ] }),
    hasLog && /* @__PURE__ */ a4("a", { class: "button quiet", href: log, download: true, children: [
      /* @__PURE__ */ a4(ControlIcon, { name: "save" }),
      t5("downloadLog")
    ] }),
    /* @__PURE__ */ a4("button", { type: "button", class: "button quiet", onClick: away(() => saveDoc(game)), children: [
      /* @__PURE__ */ a4(ControlIcon, { name: "save" }),
      t5("saveDoc")
    ] }),
    /* @__PURE__ */ a4("button", { type: "button", class: "button quiet", onClick: away(onKeys), children: [
      /* @__PURE__ */ a4(ControlIcon, { name: "keys" }),
      t5("keys")
    ] })
  ] });
}

// src/opinion_lines.ts
function opinionLines(opinions, events, at2, until, diedAt = () => -1) {
  const before = [];
  const made = { rows: [], lines: 0, now: 0, days: [] };
  events.forEach((event, n3) => {
    if (event.kind === "talk" && !event.quiet) {
      if (made.days[made.days.length - 1]?.day !== event.day) made.days.push({ day: event.day ?? 0, x: made.lines });
      made.lines++;
    }
    before[n3] = made.lines;
  });
  made.now = before[Math.min(until, events.length - 1)] ?? 0;
  const rows = /* @__PURE__ */ new Map();
  for (const { seat, a: a5, lines: lines2, sure, target } of opinions) {
    const n3 = a5 === void 0 ? void 0 : at2(a5);
    const x4 = n3 === void 0 ? Math.min(lines2 ?? 0, made.lines) : before[n3] ?? 0;
    if (n3 === void 0 ? x4 > made.now : n3 > until) continue;
    const row = rows.get(seat) ?? { seat, steps: [] };
    rows.set(seat, row);
    const last = row.steps[row.steps.length - 1];
    if (last) last.until = Math.max(x4, last.x);
    row.steps.push({ x: Math.max(x4, last?.x ?? 0), until: made.now, sure, target });
  }
  for (const { seat, steps } of rows.values()) {
    const died = diedAt(seat);
    const last = steps[steps.length - 1];
    if (last && died >= 0) last.until = Math.max(last.x, Math.min(last.until, before[died] ?? made.now));
  }
  made.rows = [...rows.values()].sort((one, other) => one.seat - other.seat);
  return made;
}

// src/game/OpinionLines.tsx
var width = 320;
var height = 66;
var left = 7;
var high = 12;
var low = 56;
function Drawing({ row, lines: lines2, isWolf }) {
  const x4 = (line) => left + line / Math.max(lines2.lines, 1) * (width - 2 * left);
  const y5 = (sure) => low - sure / 100 * (low - high);
  return /* @__PURE__ */ a4("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", children: [
    /* @__PURE__ */ a4("path", { class: "opinion-rule", d: `M${left} ${high}H${width - left}M${left} ${(high + low) / 2}H${width - left}M${left} ${low}H${width - left}` }),
    lines2.days.map(({ day, x: line }) => /* @__PURE__ */ a4("g", { children: [
      /* @__PURE__ */ a4("path", { class: "opinion-day", d: `M${x4(line).toFixed(1)} ${high}V${low}` }),
      /* @__PURE__ */ a4("text", { x: x4(line) + 2, y: height - 1, children: t5("opinionDay", { day }) })
    ] }, day)),
    row.steps.map((step, i4) => {
      const before = row.steps[i4 - 1];
      return /* @__PURE__ */ a4("g", { class: `s${step.target}`, children: [
        before && /* @__PURE__ */ a4("path", { class: "opinion-join", d: `M${x4(step.x).toFixed(1)} ${y5(before.sure).toFixed(1)}V${y5(step.sure).toFixed(1)}` }),
        /* @__PURE__ */ a4("path", { class: "opinion-step", d: `M${x4(step.x).toFixed(1)} ${y5(step.sure).toFixed(1)}H${x4(step.until).toFixed(1)}` }),
        /* @__PURE__ */ a4("circle", { class: isWolf(step.target) ? "opinion-dot wolf" : "opinion-dot", cx: x4(step.x).toFixed(1), cy: y5(step.sure).toFixed(1), r: "3" })
      ] }, i4);
    }),
    row.steps.map((step, i4) => row.steps[i4 - 1]?.target !== step.target && /* @__PURE__ */ a4("text", { class: "opinion-who", x: x4(step.x), y: y5(step.sure) - 5, children: step.target }, i4))
  ] });
}
function OpinionLines({ mind, course: course2, until }) {
  const { opinions } = mind;
  if (!opinions || opinions.length === 0) return null;
  const table2 = course2.tableAt(course2.doc.events.length - 1);
  const lines2 = opinionLines(opinions, course2.doc.events, (anchor) => course2.anchor(anchor), until, (seat) => table2.seats[seat]?.diedAt ?? -1);
  const isWolf = (seat) => table2.seats[seat]?.role === "WEREWOLF";
  return /* @__PURE__ */ a4("section", { class: "opinions", children: [
    /* @__PURE__ */ a4("h2", { children: t5("opinionTitle") }),
    /* @__PURE__ */ a4("p", { class: "note", children: t5("opinionNote") }),
    lines2.rows.length === 0 ? /* @__PURE__ */ a4("p", { class: "nothing", children: t5("opinionNone") }) : /* @__PURE__ */ a4("ul", { children: lines2.rows.map((row) => {
      const last = row.steps[row.steps.length - 1];
      const name = mind.seats.find((seat) => seat.seat === row.seat)?.name ?? course2.doc.seats.find((seat) => seat.seat === row.seat)?.name ?? "";
      return /* @__PURE__ */ a4("li", { children: [
        /* @__PURE__ */ a4("p", { class: "opinion-head", children: [
          /* @__PURE__ */ a4(Who, { seat: row.seat, name }),
          " ",
          last && /* @__PURE__ */ a4("span", { title: seatText(course2, last.target), children: [
            "→ ",
            /* @__PURE__ */ a4(Chip, { seat: last.target }),
            " ",
            /* @__PURE__ */ a4("b", { children: [
              num(last.sure),
              " %"
            ] })
          ] }),
          " ",
          /* @__PURE__ */ a4("span", { class: "note", children: t5("opinionCount", { n: row.steps.length }) })
        ] }),
        /* @__PURE__ */ a4(Drawing, { row, lines: lines2, isWolf })
      ] }, row.seat);
    }) })
  ] });
}

// src/game/Mind.tsx
var shownAtOnce = 40;
function MindTab({ game }) {
  const mind = useSignal(null);
  const trouble = useSignal("");
  const id = game.doc.value.id;
  A2(() => {
    get(`games/${encodeURIComponent(id)}/mind`).then(
      (got) => {
        mind.value = got;
      },
      (error) => {
        trouble.value = error instanceof Error ? error.message : String(error);
      }
    );
  }, [id]);
  void game.grown.value;
  const course2 = game.course.value;
  if (trouble.value !== "") return /* @__PURE__ */ a4("p", { class: "nothing", children: [
    t5("noMind"),
    /* @__PURE__ */ a4("br", {}),
    /* @__PURE__ */ a4("span", { class: "note", children: shown(trouble.value) })
  ] });
  if (!mind.value) return /* @__PURE__ */ a4("p", { class: "nothing", children: t5("loading") });
  const past = decisionsAt(mind.value.decisions, (anchor) => course2.anchor(anchor), game.resting.value);
  const { value } = mind;
  return /* @__PURE__ */ a4("div", { class: "tabbody mindtab", tabIndex: 0, role: "region", "aria-label": t5("tab_mind"), children: [
    /* @__PURE__ */ a4("label", { class: "check", children: [
      /* @__PURE__ */ a4("input", { type: "checkbox", checked: unfolded.value, onChange: (change2) => {
        unfolded.value = change2.currentTarget.checked;
      } }),
      " ",
      t5("mindUnfold")
    ] }),
    !exported.value && /* @__PURE__ */ a4("p", { class: "note", children: /* @__PURE__ */ a4("a", { href: `/web/mind/${encodeURIComponent(id)}`, children: t5("actMind") }) }),
    /* @__PURE__ */ a4(OpinionLines, { mind: value, course: course2, until: game.resting.value }),
    past.length === 0 ? /* @__PURE__ */ a4("p", { class: "nothing", children: t5("mindNothing") }) : /* @__PURE__ */ a4("ol", { class: "decisions", children: past.slice(0, shownAtOnce).map((decision, i4) => /* @__PURE__ */ a4(DecisionRow, { decision, mind: value }, past.length - i4)) })
  ] });
}

// src/game/Scrubber.tsx
var barHeight = 40;
var barStep = 6;
function spanOf(length, reached, whole2) {
  if (whole2 || reached >= length - 1) return Math.max(1, length - 1);
  return Math.max(100, Math.ceil(reached * 1.25));
}
function draw(course2, width2, span, until) {
  const x4 = (n3) => n3 / span * width2;
  const made = { days: [], bars: "", deaths: "", executions: "", claims: "", faults: "" };
  const volume = new Float64Array(Math.ceil(width2 / barStep) + 1);
  const events = course2.doc.events;
  const mark = (at2, top, bottom) => `M${at2.toFixed(1)} ${top}V${bottom}`;
  let phase = -1;
  for (let n3 = 0; n3 <= until; n3++) {
    const event = events[n3];
    const at2 = x4(n3);
    const now = course2.phaseIndex(n3);
    if (now !== phase) {
      phase = now;
      const { day, night } = course2.doc.phases[now] ?? { day: event.day, night: event.kind === "night" };
      const before = made.days[made.days.length - 1];
      if (!before || before.day !== day || before.night !== night) {
        if (before) before.end = at2;
        made.days.push({ x: at2, day, night, end: at2 });
      }
    }
    if ((event.kind === "talk" || event.kind === "whisper") && !event.quiet) {
      const bin = Math.floor(at2 / barStep);
      volume[bin] = (volume[bin] ?? 0) + 12 + Math.min(200, (event.text ?? "").length);
      for (const says of event.says ?? [])
        if (says.kind === "COMINGOUT" && says.role && says.role !== "VILLAGER") made.claims += `M${(at2 - 2.5).toFixed(1)} 5a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0-5 0`;
    } else if (event.kind === "death") made.deaths += mark(at2, 0, barHeight);
    else if (event.kind === "execute") made.executions += mark(at2, 0, barHeight);
    else if (event.kind === "fault") made.faults += `M${at2.toFixed(1)} 1l3.500 6h-7z`;
  }
  const last = made.days[made.days.length - 1];
  if (last) last.end = x4(until);
  const most = Math.max(1, ...volume);
  volume.forEach((each, bin) => {
    if (each > 0) made.bars += `M${bin * barStep + 1} ${barHeight}v-${(4 + each / most * 24).toFixed(1)}h${barStep - 2}V${barHeight}z`;
  });
  return made;
}
function dayLabels(days, width2) {
  const room = (lang.value === "ja" ? 34 : 26) + (days.length > 20 ? 5 : 0);
  const spans = [];
  for (const { x: x4, day, end } of days) {
    const before = spans[spans.length - 1];
    if (before && before.day === day) before.wide = end - before.x;
    else spans.push({ x: x4, day, wide: end - x4 });
  }
  const made = [];
  for (const span of spans) {
    const before = made[made.length - 1];
    if (span.x > width2 - 14) continue;
    if (!before || span.x >= before.x + room) made.push(span);
    else if (before.wide < span.wide && before.wide < room) made[made.length - 1] = span;
  }
  return made;
}
function Ground({ drawing, width: width2 }) {
  return /* @__PURE__ */ a4($, { children: [
    drawing.days.map((part) => /* @__PURE__ */ a4("rect", { class: part.night ? "part night" : "part", x: part.x, width: Math.max(1, part.end - part.x), y: "0", height: barHeight }, part.x)),
    /* @__PURE__ */ a4("path", { class: "bars", d: drawing.bars }),
    /* @__PURE__ */ a4("path", { class: "deaths", d: drawing.deaths }),
    /* @__PURE__ */ a4("path", { class: "executions", d: drawing.executions }),
    /* @__PURE__ */ a4("path", { class: "claimdots", d: drawing.claims }),
    /* @__PURE__ */ a4("path", { class: "faults", d: drawing.faults }),
    /* @__PURE__ */ a4("g", { class: "days", "aria-hidden": "true", children: dayLabels(drawing.days, width2).map((each) => /* @__PURE__ */ a4("text", { x: Math.max(1, each.x + 1), y: barHeight + 15, children: t5("dayShort", { day: each.day }) }, each.day)) })
  ] });
}
function Scrubber({ game }) {
  const { ref, size } = useSize();
  const width2 = Math.max(60, size.value.width);
  void game.grown.value;
  const course2 = game.course.value;
  const whole2 = game.view.value !== "public" || game.status.value === "running" || course.value === "whole";
  const frozen = useSignal(0);
  const span = frozen.value || spanOf(course2.length, game.reached.value, whole2);
  const until = Math.min(course2.length - 1, whole2 ? course2.length - 1 : game.reached.value);
  const drawing = w2(() => draw(course2, width2, span, until), [course2, course2.length, width2, span, until]);
  const hover = useSignal(-1);
  const wheelRest = T2(0);
  const frame = T2(0);
  const wanted = T2(0);
  void lang.value;
  const text = useComputed(() => sliderText(game.course.value, game.course.value.tableAt(game.resting.value)));
  const eventAt = (clientX) => {
    const box = ref.current?.getBoundingClientRect();
    if (!box) return 0;
    return Math.max(0, Math.min(course2.length - 1, Math.round((clientX - box.left) / box.width * span)));
  };
  const goSoon = (n3) => {
    wanted.current = n3;
    if (frame.current) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      game.go(wanted.current);
    });
  };
  const press = (event) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    frozen.value = span;
    game.playing.value = false;
    game.dragging.value = true;
    game.go(eventAt(event.clientX));
  };
  const move = (event) => {
    const n3 = eventAt(event.clientX);
    if (event.pointerType === "mouse") hover.value = n3;
    if (game.dragging.value) goSoon(n3);
  };
  const release = () => {
    frozen.value = 0;
    if (frame.current) {
      cancelAnimationFrame(frame.current);
      frame.current = 0;
      game.go(wanted.current);
    }
    if (game.dragging.value) game.drop();
  };
  const wheel = (event) => {
    event.preventDefault();
    wheelRest.current += Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY;
    const steps = Math.trunc(wheelRest.current / 24);
    wheelRest.current -= steps * 24;
    if (steps !== 0) game.go(game.cursor.value + steps);
  };
  const thumb = Math.min(width2, game.cursor.value / span * width2);
  return /* @__PURE__ */ a4(
    "div",
    {
      class: "scrubber",
      ref,
      role: "slider",
      tabIndex: 0,
      "aria-label": t5("course"),
      "aria-valuemin": 0,
      "aria-valuemax": whole2 ? game.last.value : Math.max(game.reached.value, game.cursor.value),
      "aria-valuenow": game.cursor.value,
      "aria-valuetext": text.value,
      onPointerDown: press,
      onPointerMove: move,
      onPointerUp: release,
      onPointerCancel: release,
      onPointerLeave: () => {
        hover.value = -1;
      },
      onWheel: wheel,
      children: [
        /* @__PURE__ */ a4("svg", { width: width2, height: barHeight + 20, "aria-hidden": "true", children: [
          /* @__PURE__ */ a4("rect", { class: "plain", x: "0", y: "0", width: width2, height: barHeight, rx: "4" }),
          /* @__PURE__ */ a4(Ground, { drawing, width: width2 }),
          /* @__PURE__ */ a4("rect", { class: "frame", x: ".5", y: ".5", width: width2 - 1, height: barHeight - 1, rx: "4" }),
          /* @__PURE__ */ a4("g", { class: "thumb", transform: `translate(${thumb.toFixed(1)} 0)`, children: [
            /* @__PURE__ */ a4("path", { d: `M0 0V${barHeight + 3}` }),
            /* @__PURE__ */ a4("circle", { cx: "0", cy: "2", r: "7" })
          ] })
        ] }),
        hover.value >= 0 && hover.value <= until && /* @__PURE__ */ a4(Hint, { course: course2, n: hover.value, x: hover.value / span * width2, width: width2 })
      ]
    }
  );
}
function Hint({ course: course2, n: n3, x: x4, width: width2 }) {
  const event = course2.event(n3);
  if (!event) return null;
  const night = course2.doc.phases[course2.phaseIndex(n3)]?.night ?? false;
  const half = Math.min(150, width2 / 2);
  return /* @__PURE__ */ a4("div", { class: "hint", style: { left: `${Math.max(half, Math.min(width2 - half, x4))}px` }, "aria-hidden": "true", children: [
    /* @__PURE__ */ a4("b", { children: whenText(event.day, night) }),
    " ",
    event.kind === "day" || event.kind === "night" ? "" : momentSentence(course2, event, true).slice(0, 160)
  ] });
}

// src/matrices.ts
function ballots(doc, until) {
  const columns = [];
  for (let n3 = 0; n3 <= until && n3 < doc.events.length; n3++) {
    const event = doc.events[n3];
    if (event.kind !== "vote" && event.kind !== "attack_vote" || !event.seat) continue;
    const round = event.round ?? 0;
    let column = columns[columns.length - 1];
    if (!column || column.kind !== event.kind || column.day !== event.day || column.round !== round)
      columns.push(column = { kind: event.kind, day: event.day, round, first: n3, votes: /* @__PURE__ */ new Map() });
    column.votes.set(event.seat, event);
  }
  return columns;
}
var cellKey = (row, column) => row * 256 + column;
function takeVerdict(claims, seat, says, n3) {
  const target = says.target ?? 0;
  if (target === 0 || says.kind !== "DIVINED" && says.kind !== "IDENTIFIED" && says.kind !== "GUARDED") return;
  const key = cellKey(seat, target);
  const before = claims.verdicts.get(key);
  const wolf = says.species === "WEREWOLF";
  if (before && before.kind !== "GUARDED" && says.kind !== "GUARDED" && before.wolf !== wolf) claims.contrary.add(key);
  if (before && says.kind === "GUARDED") return;
  if (!before || before.wolf !== wolf || before.kind !== says.kind) claims.verdicts.set(key, { wolf, kind: says.kind, n: n3 });
}
function claimsAt(doc, until) {
  const claims = { judges: [], claimed: /* @__PURE__ */ new Map(), verdicts: /* @__PURE__ */ new Map(), disputed: /* @__PURE__ */ new Set(), contrary: /* @__PURE__ */ new Set() };
  for (let n3 = 0; n3 <= until && n3 < doc.events.length; n3++) {
    const event = doc.events[n3];
    const seat = event.seat ?? 0;
    if (!event.says || seat === 0 || event.kind !== "talk") continue;
    for (const says of event.says) {
      if (says.kind === "COMINGOUT" && says.role && (says.target ?? seat) === seat) {
        if (claims.claimed.get(seat)?.role !== says.role) claims.claimed.set(seat, { role: says.role, n: n3 });
      } else takeVerdict(claims, seat, says, n3);
    }
  }
  const judging = /* @__PURE__ */ new Map();
  for (const [key, verdict2] of claims.verdicts) {
    const judge = key >> 8;
    judging.set(judge, Math.min(judging.get(judge) ?? verdict2.n, verdict2.n));
  }
  for (const [seat, claim] of claims.claimed)
    if (claim.role !== "VILLAGER") judging.set(seat, Math.min(judging.get(seat) ?? claim.n, claim.n));
  claims.judges = [...judging].map(([seat, n3]) => ({ seat, role: claims.claimed.get(seat)?.role ?? null, n: n3 })).sort((a5, b3) => a5.n - b3.n || a5.seat - b3.seat);
  const said = /* @__PURE__ */ new Map();
  for (const [key, verdict2] of claims.verdicts) {
    if (verdict2.kind === "GUARDED") continue;
    const target = key & 255;
    if (said.has(target) && said.get(target) !== verdict2.wolf) claims.disputed.add(target);
    said.set(target, verdict2.wolf);
  }
  return claims;
}
var stanceOf = {
  ESTIMATE: "suspects",
  VOTE: "wants",
  VOTED: "voted",
  AGREE: "agrees",
  DISAGREE: "disagrees",
  GUARDED: "guards"
};
function stancesAt(doc, until) {
  const made = /* @__PURE__ */ new Map();
  const set = (seat, target, kind, n3) => {
    if (seat > 0 && target && target !== seat) made.set(cellKey(seat, target), { kind, n: n3 });
  };
  for (let n3 = 0; n3 <= until && n3 < doc.events.length; n3++) {
    const event = doc.events[n3];
    const seat = event.seat ?? 0;
    if (event.kind === "vote") set(seat, event.target, "voted", n3);
    else if (event.kind === "standing") set(seat, event.target, "wants", n3);
    if (event.kind !== "talk") continue;
    for (const says of event.says ?? []) {
      if (says.kind === "DIVINED" || says.kind === "IDENTIFIED") set(seat, says.target, says.species === "WEREWOLF" ? "wolf" : "human", n3);
      else {
        const kind = stanceOf[says.kind];
        if (kind) set(seat, says.target, kind, n3);
      }
    }
  }
  return made;
}

// src/game/Matrix.tsx
function momentHref(game, n3, tab = game.tab.value) {
  const at2 = game.course.value.event(n3)?.a;
  return momentText2({ view: game.view.value, ...at2 === void 0 ? {} : { at: at2 }, tab }) || "#";
}
var SeatHead = ({ course: course2, seat, children }) => {
  const name = course2.names[seat] ?? "";
  return /* @__PURE__ */ a4("span", { class: "seathead", children: [
    /* @__PURE__ */ a4(Chip, { seat }),
    !isNumberName(name) && /* @__PURE__ */ a4(Name, { text: name }),
    children
  ] });
};
function Matrix({ game, label, corner, rows, columns, cell }) {
  return /* @__PURE__ */ a4("div", { class: "matrix", children: /* @__PURE__ */ a4("table", { children: [
    /* @__PURE__ */ a4("caption", { class: "unseen", children: label }),
    /* @__PURE__ */ a4("thead", { children: /* @__PURE__ */ a4("tr", { children: [
      /* @__PURE__ */ a4("th", { scope: "col", class: "corner", children: /* @__PURE__ */ a4("span", { class: "unseen", children: corner }) }),
      columns.map((column) => /* @__PURE__ */ a4("th", { scope: "col", class: column.kind, children: column.head }, column.key))
    ] }) }),
    /* @__PURE__ */ a4("tbody", { children: rows.map((row) => /* @__PURE__ */ a4("tr", { class: row.dead ? "dead" : void 0, children: [
      /* @__PURE__ */ a4("th", { scope: "row", children: row.head }),
      columns.map((column) => {
        const made = cell(row.key, column.key);
        if (!made) return /* @__PURE__ */ a4("td", {}, column.key);
        return /* @__PURE__ */ a4("td", { class: made.kind, children: made.n >= 0 ? /* @__PURE__ */ a4("a", { href: momentHref(game, made.n), title: made.title, "aria-label": made.title, children: made.content }) : /* @__PURE__ */ a4("span", { title: made.title, children: made.content }) }, column.key);
      })
    ] }, row.key)) })
  ] }) });
}

// src/game/Tabs.tsx
var seatsOf = (course2) => course2.doc.seats.map((seat) => seat.seat);
function moment(game) {
  void game.grown.value;
  const course2 = game.course.value;
  const n3 = game.resting.value;
  return { course: course2, n: n3, table: course2.tableAt(n3) };
}
var TabBody = ({ label, children }) => /* @__PURE__ */ a4("div", { class: "tabbody", tabIndex: 0, role: "region", "aria-label": label, children });
var seatLines = (course2, table2) => seatsOf(course2).map((seat) => ({ key: seat, dead: !table2.seats[seat]?.alive, head: /* @__PURE__ */ a4(SeatHead, { course: course2, seat }) }));
function Votes({ game }) {
  const { course: course2, n: n3, table: table2 } = moment(game);
  const columns = ballots(course2.doc, n3);
  if (columns.length === 0) return /* @__PURE__ */ a4("p", { class: "nothing", children: t5("noBallots") });
  const lines2 = columns.map((column, i4) => {
    const attack = column.kind === "attack_vote";
    const places = { day: column.day, n: column.round + 1 };
    const text = column.round === 0 ? t5(attack ? "attackColumn" : "voteColumn", places) : t5(attack ? "attackColumnAgain" : "voteColumnAgain", places);
    return { key: i4, head: text, kind: attack ? "attack" : "ballot" };
  });
  const most = columns.map((column) => {
    const counts = /* @__PURE__ */ new Map();
    for (const event of column.votes.values()) counts.set(event.target ?? 0, (counts.get(event.target ?? 0) ?? 0) + 1);
    const top = Math.max(...counts.values());
    return new Set([...counts].filter(([, count]) => count === top).map(([seat]) => seat));
  });
  return /* @__PURE__ */ a4(TabBody, { label: t5("voteTable"), children: /* @__PURE__ */ a4(
    Matrix,
    {
      game,
      label: t5("voteTable"),
      corner: t5("voter"),
      rows: seatLines(course2, table2),
      columns: lines2,
      cell: (seat, i4) => {
        const column = columns[i4];
        const event = column?.votes.get(seat);
        if (!column || !event) return null;
        const target = event.target ?? 0;
        return {
          content: /* @__PURE__ */ a4(Chip, { seat: target }),
          title: `${seatText(course2, seat)} → ${seatText(course2, target)}`,
          n: event.n,
          kind: most[i4]?.has(target) ? "vote top" : "vote"
        };
      }
    }
  ) });
}
function Estimates({ game, course: course2, n: n3 }) {
  const belief = course2.doc.belief;
  if (!belief || game.status.value === "running" && game.ownSeat > 0) return null;
  const row = belief.rows.filter((each) => course2.at(each.a) <= n3).pop();
  if (!row) return null;
  return /* @__PURE__ */ a4("section", { class: "estimates", children: [
    /* @__PURE__ */ a4("h2", { children: [
      t5("estimateTitle"),
      " ",
      /* @__PURE__ */ a4("span", { class: "pill", children: shown(belief.method) })
    ] }),
    /* @__PURE__ */ a4("p", { class: "note", children: t5("estimateNote", { text: shown(belief.text) }) }),
    /* @__PURE__ */ a4("ul", { children: seatsOf(course2).map((seat, i4) => {
      const p5 = row.p[i4] ?? 0;
      return /* @__PURE__ */ a4("li", { children: [
        /* @__PURE__ */ a4(SeatHead, { course: course2, seat }),
        /* @__PURE__ */ a4("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true", children: [
          /* @__PURE__ */ a4("rect", { class: "track", width: "100", height: "8" }),
          /* @__PURE__ */ a4("rect", { class: "p", width: p5 * 100, height: "8" })
        ] }),
        /* @__PURE__ */ a4("b", { children: [
          Math.round(p5 * 100),
          " %"
        ] })
      ] }, seat);
    }) })
  ] });
}
function ClaimsTab({ game }) {
  const { course: course2, n: n3, table: table2 } = moment(game);
  const claims = claimsAt(course2.doc, n3);
  const none = claims.judges.length === 0;
  const columns = claims.judges.map((judge) => ({
    key: judge.seat,
    head: /* @__PURE__ */ a4(SeatHead, { course: course2, seat: judge.seat, children: judge.role && /* @__PURE__ */ a4(RoleWord, { role: judge.role }) })
  }));
  const rows = seatsOf(course2).map((seat) => {
    const claim = claims.claimed.get(seat);
    return {
      key: seat,
      dead: !table2.seats[seat]?.alive,
      head: /* @__PURE__ */ a4(SeatHead, { course: course2, seat, children: [
        claim && /* @__PURE__ */ a4(RoleWord, { role: claim.role }),
        claims.disputed.has(seat) && /* @__PURE__ */ a4("b", { class: "disputed", title: t5("disputed"), children: "≠" })
      ] })
    };
  });
  return /* @__PURE__ */ a4(TabBody, { label: t5("claimTable"), children: [
    none ? /* @__PURE__ */ a4("p", { class: "nothing", children: [
      t5("noClaims"),
      course2.doc.lang !== "aiwolf" && /* @__PURE__ */ a4($, { children: [
        /* @__PURE__ */ a4("br", {}),
        /* @__PURE__ */ a4("span", { class: "note", children: t5("noClaimsFree") })
      ] })
    ] }) : /* @__PURE__ */ a4(
      Matrix,
      {
        game,
        label: t5("claimTable"),
        corner: t5("voter"),
        rows,
        columns,
        cell: (seat, judge) => {
          const verdict2 = claims.verdicts.get(cellKey(judge, seat));
          if (!verdict2) return null;
          const word = verdict2.kind === "GUARDED" ? t5("saysGuarded") : verdict2.wolf ? t5("saysWolf") : t5("saysHuman");
          const contrary = claims.contrary.has(cellKey(judge, seat)) || claims.disputed.has(seat) && verdict2.kind !== "GUARDED";
          const role = claims.claimed.get(judge)?.role;
          return {
            content: /* @__PURE__ */ a4("span", { class: "verdict", children: [
              /* @__PURE__ */ a4("i", { class: verdict2.kind === "GUARDED" ? "dot guard" : verdict2.wolf ? "dot wolf" : "dot" }),
              word,
              contrary && /* @__PURE__ */ a4("b", { class: "disputed", children: "≠" })
            ] }),
            title: `${seatText(course2, judge)}${role ? ` (${roleWord(role)})` : ""}: ${seatText(course2, seat)} – ${word}${contrary ? ` – ${t5("disputed")}` : ""}`,
            n: verdict2.n,
            kind: verdict2.kind === "GUARDED" ? "guarded" : verdict2.wolf ? "wolf" : "human"
          };
        }
      }
    ),
    !none && (claims.disputed.size > 0 || claims.contrary.size > 0) && /* @__PURE__ */ a4("p", { class: "legend note", children: t5("disputedNote") }),
    /* @__PURE__ */ a4(Estimates, { game, course: course2, n: n3 })
  ] });
}
var stanceSigns = {
  voted: "▶",
  wants: "▷",
  suspects: "?",
  wolf: "●",
  human: "○",
  agrees: "+",
  disagrees: "−",
  guards: "◇"
};
function Stances({ game }) {
  const { course: course2, n: n3, table: table2 } = moment(game);
  const stances = stancesAt(course2.doc, n3);
  if (stances.size === 0) return /* @__PURE__ */ a4("p", { class: "nothing", children: t5("noStances") });
  const seats = seatsOf(course2);
  const kinds4 = Object.keys(stanceSigns);
  const used = new Set([...stances.values()].map((stance) => stance.kind));
  return /* @__PURE__ */ a4(TabBody, { label: t5("stanceTable"), children: [
    /* @__PURE__ */ a4(
      Matrix,
      {
        game,
        label: t5("stanceTable"),
        corner: t5("stanceFrom"),
        rows: seatLines(course2, table2),
        columns: seats.map((seat) => ({ key: seat, head: /* @__PURE__ */ a4("span", { title: seatText(course2, seat), children: /* @__PURE__ */ a4(Chip, { seat }) }), kind: "narrow" })),
        cell: (from, about2) => {
          if (from === about2) return { content: "", title: "", n: -1, kind: "self" };
          const stance = stances.get(cellKey(from, about2));
          if (!stance) return null;
          return {
            content: stanceSigns[stance.kind],
            n: stance.n,
            kind: `stance ${stance.kind}`,
            title: `${seatText(course2, from)} ${t5(`st_${stance.kind}`)} ${seatText(course2, about2)}`
          };
        }
      }
    ),
    /* @__PURE__ */ a4("ul", { class: "legend", children: kinds4.filter((kind) => used.has(kind)).map((kind) => /* @__PURE__ */ a4("li", { children: [
      /* @__PURE__ */ a4("i", { class: `stance ${kind}`, children: stanceSigns[kind] }),
      " ",
      t5(`st_${kind}`)
    ] }, kind)) })
  ] });
}

// src/game/GamePage.tsx
function showDocs2(game, docs) {
  const [first] = docs;
  if (!first) return;
  game.reset();
  for (const doc of docs) if (doc.id === first.id) game.put(doc);
  const shownFirst = docs.find((doc) => doc.id === first.id && doc.view.kind === "public") ?? first;
  game.show(shownFirst);
}
async function showOpened(game, docs) {
  showDocs2(game, docs);
  if (game.hasAll && game.status.value !== "running") await game.choose("public");
  game.go(0);
  await applyMoment(game, readMoment(location.hash));
}
function StatusLine2({ game }) {
  const course2 = game.course.value;
  const event = course2.event(game.resting.value);
  const deeds = event && !["talk", "whisper", "fault", "notice"].includes(event.kind);
  const tells = event && (aloud.value === "all" || aloud.value === "deeds" && deeds);
  return /* @__PURE__ */ a4("div", { class: "unseen", role: "status", children: tells ? momentSentence(course2, event, true) : "" });
}
function Panel({ game }) {
  const tab = game.tab.value;
  return /* @__PURE__ */ a4("div", { class: "panelbody", id: "panel", role: "tabpanel", "aria-labelledby": `tab-${tab}`, children: [
    tab === "log" && /* @__PURE__ */ a4(Log, { game, telling: game.telling.value }, `${game.doc.value.id}/${String(game.view.value)}`),
    tab === "votes" && /* @__PURE__ */ a4(Votes, { game }),
    tab === "claims" && /* @__PURE__ */ a4(ClaimsTab, { game }),
    tab === "stances" && /* @__PURE__ */ a4(Stances, { game }),
    tab === "mind" && /* @__PURE__ */ a4(MindTab, { game })
  ] });
}
function GameFrame({ game, source }) {
  const finding = useSignal(false);
  const listing = useSignal(false);
  const menu = useSignal(false);
  const view = (choice2) => void chooseView(game, choice2);
  const acts = w2(() => ({
    view: (choice2) => view(choice2 === game.view.value ? "public" : choice2),
    link: () => void copyLink2(game).then((done) => toast(t5(done ? "copied" : "notCopied"), !done)),
    find: () => {
      game.tab.value = "log";
      finding.value = true;
    },
    list: () => {
      listing.value = true;
    }
  }), [game]);
  useKeys(game, acts);
  usePlaying(game);
  useAddress(game);
  useSignalEffect(() => {
    document.title = `${game.doc.value.id} – warg`;
  });
  const seats = game.doc.value.seats;
  void lang.value;
  return /* @__PURE__ */ a4("div", { class: "screen game", style: hues(seats.length), children: [
    /* @__PURE__ */ a4(FaceDefs, { seats }),
    /* @__PURE__ */ a4(
      GameBar,
      {
        game,
        home: source?.home ?? "",
        onView: view,
        onRound: (index) => {
          const doc = shownDocs.value[index];
          if (doc) void showOpened(game, [doc]);
        }
      }
    ),
    /* @__PURE__ */ a4("main", { class: "board", children: [
      /* @__PURE__ */ a4(Stage, { game, onView: (seat) => {
        if (game.choices.includes(seat)) acts.view(seat);
      } }),
      /* @__PURE__ */ a4("section", { class: "side", "aria-label": t5("panels"), children: [
        finding.value && /* @__PURE__ */ a4(Find, { game, onClose: () => {
          finding.value = false;
        } }),
        /* @__PURE__ */ a4(Panel, { game })
      ] })
    ] }),
    /* @__PURE__ */ a4("footer", { class: "foot", children: [
      /* @__PURE__ */ a4(Controls, { game, onLink: acts.link, onMenu: () => {
        menu.value = true;
      } }),
      /* @__PURE__ */ a4(Scrubber, { game })
    ] }),
    /* @__PURE__ */ a4(StatusLine2, { game }),
    menu.value && /* @__PURE__ */ a4(Menu, { game, log: source?.log ?? "", onClose: () => {
      menu.value = false;
    }, onLink: acts.link, onKeys: acts.list, onFind: acts.find, onView: view }),
    listing.value && /* @__PURE__ */ a4(KeyList, { onClose: () => {
      listing.value = false;
    } })
  ] });
}
var Waiting2 = ({ text, home, onAgain }) => /* @__PURE__ */ a4("div", { class: "screen", children: [
  /* @__PURE__ */ a4(TopBar, { home }),
  /* @__PURE__ */ a4("main", { class: "page empty", children: onAgain ? /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("h1", { children: t5("cannotShow") }),
    /* @__PURE__ */ a4("p", { children: text }),
    /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: onAgain, children: t5("again") }),
    home !== "" && /* @__PURE__ */ a4("p", { children: /* @__PURE__ */ a4("a", { href: home, children: t5(home === base ? "toHome" : "toBack") }) })
  ] }) : /* @__PURE__ */ a4("p", { class: "soft", children: text }) })
] });
function GamePage({ id, source = ofServer(id) }) {
  const home = exported.value ? "" : source.home;
  const game = w2(() => new GameStore(), [id]);
  const state = useSignal("waiting");
  const trouble = useSignal("");
  const begun = T2(0);
  const stop = T2(void 0);
  const load = () => {
    const run = ++begun.current;
    state.value = "waiting";
    const docs = shownDocs.value;
    (docs.length > 0 ? showOpened(game, docs).then(() => () => {
    }) : loadGame(game, id, source)).then(
      (deaf) => {
        if (run !== begun.current) return deaf();
        stop.current = deaf;
        state.value = "shown";
      },
      (error) => {
        if (run !== begun.current) return;
        trouble.value = error instanceof Error ? error.message : String(error);
        state.value = "failed";
      }
    );
    return () => {
      begun.current++;
      stop.current?.();
    };
  };
  A2(load, [game, shownDocs.value]);
  if (state.value === "failed") return /* @__PURE__ */ a4(Waiting2, { text: trouble.value, home, onAgain: () => void load() });
  if (state.value === "waiting") return /* @__PURE__ */ a4(Waiting2, { text: t5("loading"), home });
  if (game.course.value.length === 0 && game.status.value !== "running") return /* @__PURE__ */ a4(Waiting2, { text: t5("emptyGame"), home });
  return /* @__PURE__ */ a4(GameFrame, { game, source: exported.value ? null : source });
}

// src/parts/Drop.tsx
var over = y3(false);
var openHere = y3(false);
function DropAnywhere() {
  A2(() => {
    let depth = 0;
    const hasFiles = (event) => [...event.dataTransfer?.types ?? []].includes("Files");
    const enter = (event) => {
      if (!hasFiles(event)) return;
      depth++;
      over.value = true;
      event.preventDefault();
    };
    const leave = (event) => {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth - 1);
      over.value = depth > 0;
    };
    const allow = (event) => {
      if (hasFiles(event)) event.preventDefault();
    };
    const drop = (event) => {
      depth = 0;
      over.value = false;
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (location.pathname !== `${base}open`) openHere.value = true;
      void openFiles(filesOf(event.dataTransfer));
    };
    addEventListener("dragenter", enter);
    addEventListener("dragleave", leave);
    addEventListener("dragover", allow);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragenter", enter);
      removeEventListener("dragleave", leave);
      removeEventListener("dragover", allow);
      removeEventListener("drop", drop);
    };
  }, []);
  return over.value ? /* @__PURE__ */ a4("div", { class: "dropping", children: /* @__PURE__ */ a4("p", { children: t5("dropHere") }) }) : null;
}

// src/parts/Lost.tsx
var Lost = () => /* @__PURE__ */ a4("div", { class: "lost", role: "status", hidden: !feedLost.value, children: feedLost.value && t5("connectionLost") });

// src/app.tsx
function App() {
  const { page: Page, id } = pageAt(location.pathname);
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4(Lost, {}),
    shownDocs.value.length > 0 ? /* @__PURE__ */ a4(GamePage, { id: "" }) : openHere.value ? /* @__PURE__ */ a4(Open, { id: "" }) : /* @__PURE__ */ a4(Page, { id }),
    /* @__PURE__ */ a4(DropAnywhere, {}),
    /* @__PURE__ */ a4(Toasts, {})
  ] });
}

// src/main.tsx
applySettings();
takeDocumentsInside();
var place = document.getElementById("app") ?? document.body.appendChild(document.createElement("div"));
place.id = "app";
Q(/* @__PURE__ */ a4(App, {}), place);
