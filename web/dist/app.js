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
function k(n3, t5, r4) {
  var u4, i4, f5, o5 = {}, e4 = arguments.length;
  for (f5 in t5) "key" == f5 ? u4 = t5[f5] : "ref" == f5 && "function" != typeof n3 ? i4 = t5[f5] : o5[f5] = t5[f5];
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
function x(n3, t5) {
  this.props = n3, this.context = t5, this.__g = 0;
}
function S(n3, t5) {
  if (null == t5) return n3.__ && S(n3.__, n3.__i + 1);
  for (var r4; t5 < n3.__k.length; t5++) if ((r4 = n3.__k[t5]) && r4.__e) return r4.__e;
  return "function" != typeof n3.type || n3.props.__P ? null : S(n3);
}
function C(t5) {
  var r4, u4 = t5.__v, i4 = u4.__e, f5 = [], o5 = [], e4 = t5.__P;
  e4 && ((r4 = _({ constructor: h }, u4)).__v = u4.__v + 1, n.vnode && n.vnode(r4), z(e4, r4, u4, t5.__n, e4.namespaceURI, 32 & u4.__u ? [i4] : null, f5, i4 || S(u4), 32 & u4.__u, o5), r4.__v = u4.__v, r4.__.__k[r4.__i] = r4, E(f5, r4, o5), u4.__ = u4.__e = null, r4.__e != i4 && j(r4));
}
function j(n3) {
  if ((n3 = n3.__) && n3.__c && !n3.props.__P) return n3.__e = null, n3.__k.some(function(t5) {
    return t5 && (n3.__e = t5.__e);
  }), j(n3);
}
function L(t5) {
  (8 & t5.__g || (t5.__g |= 8, u.push(t5), f++)) && i == n.debounceRendering || ((i = n.debounceRendering) || queueMicrotask)(H);
}
function H() {
  try {
    for (var n3, t5 = 1; u.length; ) u.length > t5 && u.sort(o), n3 = u.shift(), t5 = u.length, 8 & n3.__g && C(n3);
  } finally {
    (f = u.length) && (i || queueMicrotask)(H);
  }
}
function I(n3, t5, r4, u4, i4, f5, o5, e4, l4, c4, a5) {
  var s4, h5, v4, w5, d4, _4, g5 = u4.__k || y, k4 = t5.length;
  for (l4 = q(r4, t5, g5, l4, k4), s4 = 0; s4 < k4; s4++) null != (v4 = r4.__k[s4]) && (h5 = ~v4.__i && g5[v4.__i] || p, v4.__i = s4, _4 = z(n3, v4, h5, i4, f5, o5, e4, l4, c4, a5), w5 = v4.__e, (h5.ref != v4.ref || 8 & h5.__u) && (h5.ref && G(h5.ref, null, v4, h5), v4.ref && a5.push(v4.ref, v4.__c || w5, v4)), d4 = d4 || w5, 4 & v4.__u ? (l4 = A(v4, l4, n3, !h5.__v), h5.__e && (h5.__e = null)) : "function" == typeof v4.type && void 0 !== _4 ? l4 = _4 : w5 && (l4 = w5.nextSibling), v4.__u &= -21);
  return r4.__e = d4, l4;
}
function q(n3, t5, r4, u4, i4) {
  var f5, o5, e4, l4, c4, a5, s4, p5, y5, v4 = r4.length, d4 = v4, _4 = 0, g5 = 0, k4 = n3.__k = Array(i4);
  for (f5 = 0; f5 < i4; f5++) null != (o5 = t5[f5]) && "boolean" != typeof o5 && "function" != typeof o5 ? ("object" != typeof o5 || o5.constructor === String ? o5 = k4[f5] = m(null, o5) : w(o5) ? o5 = k4[f5] = m($, { children: o5 }) : o5.constructor === h && o5.__b ? o5 = k4[f5] = m(o5.type, o5.props, o5.key, o5.ref, o5.__v) : k4[f5] = o5, l4 = f5 + _4, o5.__ = n3, o5.__b = n3.__b + 1, e4 = null, ~(c4 = o5.__i = P(o5, r4, l4, d4)) && (d4--, (e4 = r4[c4]) && (e4.__u |= 2)), e4 && e4.__v ? (o5.__u |= 16, c4 == l4 - 1 ? _4-- : c4 == l4 + 1 ? _4++ : c4 != l4 && (c4 > l4 ? _4-- : _4++, g5 = 1)) : (~c4 || (i4 > v4 ? _4-- : i4 < v4 && _4++), "function" != typeof o5.type && (o5.__u |= 4))) : k4[f5] = null;
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
function A(n3, t5, r4, u4) {
  var i4, f5, o5, e4;
  if ("function" == typeof n3.type) {
    if (n3.props.__P) return t5;
    if (i4 = n3.__k) for (f5 = 0; f5 < i4.length; f5++) i4[f5] && (i4[f5].__ = n3, t5 = A(i4[f5], t5, r4, false));
    return t5;
  }
  for (t5 && !t5.parentNode && (t5 = S(n3)) && !t5.parentNode && (t5 = null), o5 = n3.__e, e4 = t5; e4 && 8 == e4.nodeType; ) e4 = e4.nextSibling;
  for (o5 != e4 && (!u4 && r4.moveBefore && o5.parentNode ? r4.moveBefore(o5, t5) : r4.insertBefore(o5, t5 || null)), t5 = o5; (t5 = t5 && t5.nextSibling) && 8 == t5.nodeType && !t5.data.startsWith("$s"); ) ;
  return t5;
}
function P(n3, t5, r4, u4) {
  var i4, f5 = n3.key, o5 = n3.type, e4 = t5[r4], l4 = e4 && !(2 & e4.__u);
  if (null === e4 && null == f5 || l4 && f5 == e4.key && o5 == e4.type) return r4;
  if (u4 > (l4 ? 1 : 0)) {
    for (i4 = r4 - 1; i4 >= 0; i4--) if ((e4 = t5[i4]) && !(2 & e4.__u) && f5 == e4.key && o5 == e4.type) return i4;
    for (i4 = r4 + 1; i4 < t5.length; i4++) if ((e4 = t5[i4]) && !(2 & e4.__u) && f5 == e4.key && o5 == e4.type) return i4;
  }
  return -1;
}
function T(n3, t5, r4) {
  null == r4 && (r4 = ""), "-" == t5[0] ? n3.setProperty(t5, r4) : n3[t5] = r4;
}
function N(n3, t5, r4, u4, i4) {
  var f5, o5;
  if ("style" == t5) if ("string" == typeof r4) n3.style.cssText = r4;
  else {
    if ("string" == typeof u4 && (n3.style.cssText = u4 = ""), u4) for (t5 in u4) r4 && t5 in r4 || T(n3.style, t5);
    if (r4) for (t5 in r4) u4 && r4[t5] == u4[t5] || T(n3.style, t5, r4[t5]);
  }
  else if ("o" == t5[0] && "n" == t5[1]) "function" != typeof r4 && (r4 = null), "function" != typeof u4 && (u4 = null), (n3.__e || (n3.__e = {}))[t5] = r4, r4 && u4 || (o5 = a[t5] || (a[t5] = V(t5)), (n3.__a || (n3.__a = {}))[t5] = c, f5 = t5 != (t5 = t5.replace(l, "$1")), (t5 = t5.slice(2))[0] < "a" && (t5 = t5.toLowerCase()), r4 ? n3.addEventListener(t5, o5, f5) : n3.removeEventListener(t5, o5, f5));
  else {
    if ("http://www.w3.org/2000/svg" == i4) t5 = t5.replace(/xlink(H|:h)/, "h").replace(/sName$/, "s");
    else if ("width" != t5 && "height" != t5 && "href" != t5 && "list" != t5 && "form" != t5 && "tabIndex" != t5 && "download" != t5 && "rowSpan" != t5 && "colSpan" != t5 && "role" != t5 && "popover" != t5 && t5 in n3) try {
      return void (n3[t5] = null == r4 ? "" : r4);
    } catch (n4) {
    }
    if ("function" == typeof r4) return;
    null == r4 || false === r4 && "-" != t5[4] ? n3.removeAttribute(t5) : n3.setAttribute(t5, "popover" == t5 && 1 == r4 ? "" : r4);
  }
}
function V(t5) {
  return function(r4) {
    var u4 = this.__e;
    if (u4) {
      if (u4 = u4[t5], null == r4[e]) r4[e] = c++;
      else if (r4[e] < this.__a[t5]) return;
      return u4(n.event ? n.event(r4) : r4);
    }
  };
}
function z(t5, r4, u4, i4, f5, o5, e4, l4, c4, a5) {
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
      d4.context = L2, d4.props = M3, d4.__P = t5, d4.__g &= -5, H2 = n.__r, q3 = C3 ? 25 : 0;
      do {
        d4.__g &= -9, H2 && H2(r4), s4 = d4.render(d4.props, d4.state = d4.__s, d4.context);
      } while (8 & d4.__g && ++q3 < 25);
      C3 && (y.push.apply(d4.__h, d4.__k), d4.__k = []), d4.state = d4.__s, d4.getChildContext && (i4 = _({}, i4, d4.getChildContext())), C3 && u4.__c && d4.getSnapshotBeforeUpdate && (m5 = d4.getSnapshotBeforeUpdate(k4, b3)), A4 = s4 && s4.type === $ && null == s4.key ? s4.props.children : s4, M3.__P && (s4 = l4, f5 = (t5 = M3.__P).namespaceURI, c4 = o5 = null, u4.props && u4.props.__P != t5 && (u4.__k.some(function(n3) {
        n3 && J(n3, n3);
      }), u4.__k = null), l4 = u4.__k ? S(u4, 0) : null), l4 = I(t5, w(A4) ? A4 : [A4], r4, u4, i4, f5, o5, e4, l4, c4, a5), M3.__P && (r4.__e = null, l4 = s4), r4.__u &= -161, p5 && p5.some(g), d4.__h.length && e4.push(d4), 1 & d4.__g && (d4.__g &= -4);
    } catch (t6) {
      if (e4.length = v4, r4.__v = null, c4 || o5) if (t6 && t6.then) {
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
      r4.__k || (r4.__k = u4.__k || []), t6 && t6.then || D(r4), n.__e(t6, r4, u4);
    }
  } else l4 = r4.__e = F(u4.__e, r4, u4, i4, f5, o5, e4, c4, a5, t5);
  return (s4 = n.diffed) && s4(r4), l4;
}
function B(n3, t5) {
  if (n3 && 8 == n3.nodeType && n3.data.startsWith("$s")) for (var r4 = 1; n3 = n3.nextSibling; ) {
    if (8 == n3.nodeType) {
      if (n3.data.startsWith("$s")) r4++;
      else if (n3.data.startsWith("/$s") && !--r4) return n3;
    }
    t5 && t5.push(n3);
  }
}
function D(n3) {
  n3 && (n3.__c && (n3.__c.__g |= 4), n3.__k && n3.__k.some(D));
}
function E(t5, r4, u4) {
  for (var i4 = 0; i4 < u4.length; ) G(u4[i4++], u4[i4++], u4[i4++]);
  n.__c && n.__c(r4, t5), t5.some(function(r5) {
    try {
      t5 = r5.__h, r5.__h = [], t5.some(function(n3) {
        n3.call(r5);
      });
    } catch (t6) {
      n.__e(t6, r5.__v);
    }
  });
}
function F(t5, r4, u4, i4, f5, o5, e4, l4, c4, a5) {
  var s4, h5, y5, _4, k4, b3, m5, M3, $2 = u4.props || p, x4 = r4.props, C3 = r4.type;
  if ("svg" == C3 ? f5 = "http://www.w3.org/2000/svg" : "math" == C3 ? f5 = "http://www.w3.org/1998/Math/MathML" : f5 || (f5 = "http://www.w3.org/1999/xhtml"), o5) {
    for (s4 = 0; s4 < o5.length; s4++) if ((k4 = o5[s4]) && (C3 ? k4.localName == C3 : 3 == k4.nodeType)) {
      t5 = k4, o5[s4] = null;
      break;
    }
  }
  if (!t5) {
    if (M3 = a5.ownerDocument || document, !C3) return M3.createTextNode(x4);
    t5 = M3.createElementNS(f5, C3, x4.is ? x4 : a5), l4 && (n.__m && n.__m(r4, o5), l4 = false), o5 = null;
  }
  if (C3) {
    if (a5 = "template" == C3 && t5.content || t5, o5 = "textarea" == C3 && null != x4.defaultValue ? null : o5 && d.call(a5.childNodes), !l4 && o5) for ($2 = {}, s4 = 0; s4 < t5.attributes.length; s4++) $2[(k4 = t5.attributes[s4]).name] = k4.value;
    for (s4 in $2) k4 = $2[s4], "children" == s4 || s4 in x4 || "value" == s4 && "defaultValue" in x4 || "checked" == s4 && "defaultChecked" in x4 || N(t5, s4, null, k4, f5);
    for (s4 in x4) k4 = x4[s4], "children" == s4 ? _4 = k4 : "value" == s4 ? b3 = k4 : "checked" == s4 ? m5 = k4 : l4 && "function" != typeof k4 || $2[s4] === k4 || N(t5, s4, k4, $2[s4], f5);
    y5 && (t5.textContent = ""), ("foreignObject" == C3 || "http://www.w3.org/1998/Math/MathML" == f5 && v.test(C3)) && (f5 = "http://www.w3.org/1999/xhtml"), I(a5, w(_4) ? _4 : [_4], r4, u4, i4, f5, o5, e4, o5 ? o5[0] : u4.__k && S(u4, 0), l4, c4), o5 && o5.some(g), l4 && "textarea" != C3 || (s4 = "value", "progress" == C3 && null == b3 ? t5.removeAttribute(s4) : null == b3 || b3 === t5[s4] && ("progress" != C3 || b3) || N(t5, s4, b3, $2[s4], f5), s4 = "checked", null != m5 && m5 != t5[s4] && N(t5, s4, m5, $2[s4], f5));
  } else $2 === x4 || l4 && t5.data == x4 || (t5.data = x4);
  return t5;
}
function G(t5, r4, u4, i4) {
  try {
    "function" == typeof t5 ? r4 ? r4.__x = t5(r4) || 1 : i4 && (i4 = i4.__c || i4.__e) && (r4 = i4.__x) && (i4.__x = null, "function" == typeof r4 ? r4() : t5(null)) : t5.current = r4;
  } catch (t6) {
    n.__e(t6, u4);
  }
}
function J(t5, r4, u4) {
  var i4, f5, o5, e4;
  if (n.unmount && n.unmount(t5), !(i4 = t5.ref) || i4.current && i4.current != t5.__e || G(i4, null, r4, t5), i4 = t5.__c) {
    if (i4.componentWillUnmount) try {
      i4.componentWillUnmount();
    } catch (t6) {
      n.__e(t6, r4);
    }
    i4.__P = i4.__n = null;
  }
  if (i4 = t5.__k) for (e4 = 0; e4 < i4.length; e4++) i4[e4] && J(i4[e4], r4, "function" != typeof t5.type || u4 && !t5.props.__P);
  !u4 && (i4 = t5.__c) && (i4 = i4.__z) && (f5 = B(i4, o5 = [])) && (i4 == t5.__e && o5.some(g), g(f5), g(i4)), u4 || g(t5.__e), t5.__e = t5.__c = t5.__ = null;
}
function K(n3, t5, r4) {
  return this.constructor(n3, r4);
}
function Q(t5, r4) {
  var u4, i4, f5, o5;
  n.__ && n.__(t5, r4), 9 == r4.nodeType && (r4 = r4.documentElement), i4 = (u4 = t5 && 32 & t5.__u) ? null : r4.__k, r4.__k = m($, { children: [t5] }), f5 = [], o5 = [], z(r4, r4.__k, i4 || p, p, r4.namespaceURI, i4 ? null : r4.firstChild ? d.call(r4.childNodes) : null, f5, i4 ? i4.__e : r4.firstChild, u4, o5), E(f5, r4.__k, o5), r4.__k.props.children = null;
}
n = { __e: function(n3, t5, r4, u4) {
  for (var i4, o5, e4; t5 = t5.__; ) if ((i4 = t5.__c) && !(1 & i4.__g)) {
    i4.__g |= 4;
    try {
      if ((e4 = (o5 = i4.constructor) && o5.getDerivedStateFromError) && i4.setState(o5.getDerivedStateFromError(n3)), i4.componentDidCatch && (i4.componentDidCatch(n3, u4 || {}), e4 = 1), e4 && 8 & i4.__g) return void (i4.__g |= 2);
    } catch (t6) {
      n3 = t6;
    }
  }
  throw f = 0, n3;
} }, t = 0, r = function(n3) {
  return null != n3 && n3.constructor === h;
}, x.prototype.setState = function(n3, t5) {
  var r4 = this.__s;
  r4 && r4 != this.state || (r4 = this.__s = _({}, this.state)), "function" == typeof n3 && (n3 = n3(_({}, r4), this.props)), n3 && (_(r4, n3), this.__v && (t5 && this.__k.push(t5), L(this)));
}, x.prototype.forceUpdate = function(n3) {
  this.__v && (this.__g |= 4, n3 && this.__h.push(n3), L(this));
}, x.prototype.render = $, u = [], f = 0, o = function(n3, t5) {
  return n3.__v.__b - t5.__v.__b;
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
function y2(n3, t5) {
  a2.__h && a2.__h(r2, n3, f2 || t5), f2 = 0;
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
    } catch (t6) {
      a2.__e(t6, { __: (n3 = n3.__P) && n3.__v });
    }
    for (; n3 = c2.shift(); ) {
      var t5 = n3.__H;
      if (n3.__P && t5) try {
        t5.__h.some(C2), t5.__h.some(D2), t5.__h = [];
      } catch (r4) {
        t5.__h = [], a2.__e(r4, n3.__v);
      }
    }
  } while (e2.length);
}
a2.__b = function(n3) {
  r2 = null, v2 && v2(n3);
}, a2.__ = function(n3, t5) {
  n3 && t5.__k && t5.__k.__m && (n3.__m = t5.__k.__m), p2 && p2(n3, t5);
}, a2.__r = function(n3) {
  l2 && l2(n3), t2 = 0;
  var i4 = (r2 = n3.__c).__H;
  i4 && (u2 == r2 ? r2.__h = [] : (i4.__h.some(C2), i4.__h.some(D2), t2 = 0), i4.__h = [], i4.__.some(function(n4) {
    n4.__N && (n4.__ = n4.__N), n4.u = n4.__N = void 0;
  })), u2 = r2;
}, a2.diffed = function(n3) {
  m2 && m2(n3);
  var t5 = n3.__c;
  t5 && t5.__H && (t5.__H.__h.length && B2(c2.push(t5)), t5.__H.__.some(function(n4) {
    n4.u && (n4.__H = n4.u);
  })), u2 = r2 = null;
}, a2.__c = function(n3, t5) {
  t5.some(function(n4) {
    try {
      n4.__h.some(C2), n4.__h = n4.__h.filter(function(n5) {
        return !n5.__ || D2(n5);
      });
    } catch (t6) {
      n4.__h = [function() {
        throw t6;
      }];
    }
  }), h2 && h2(n3, t5);
}, a2.unmount = function(n3) {
  s2 && s2(n3);
  var t5, r4, u4 = n3.__c;
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
      t5 = n4;
    }
  }), u4.__H = void 0, t5 && a2.__e(t5, u4.__v));
};
var k2 = "function" == typeof requestAnimationFrame;
function z2(n3) {
  var t5, r4 = function() {
    clearTimeout(u4), k2 && cancelAnimationFrame(t5), setTimeout(n3);
  }, u4 = setTimeout(r4, 35);
  k2 && (t5 = requestAnimationFrame(r4));
}
function B2(n3) {
  1 != n3 && i2 == a2.requestAnimationFrame || ((i2 = a2.requestAnimationFrame) || z2)(g2);
}
function C2(n3) {
  var t5 = r2, u4 = n3.__c;
  "function" == typeof u4 && (n3.__c = void 0, u4()), r2 = t5;
}
function D2(n3) {
  var t5 = r2;
  n3.__c = n3.__(), r2 = t5;
}
function E2(n3, t5) {
  return !n3 || n3.length != t5.length || t5.some(function(t6, r4) {
    return !o2(t6, n3[r4]);
  });
}

// node_modules/@preact/signals-core/dist/signals-core.module.js
var i3 = /* @__PURE__ */ Symbol.for("preact-signals");
function t3() {
  if (!(v3 > 1)) {
    var i4, t5 = false;
    !(function() {
      var i5 = c3;
      c3 = void 0;
      while (void 0 !== i5) {
        var t6 = i5.S;
        if (t6.v === i5.v) {
          for (var r5 = t6.t; void 0 !== r5; r5 = r5.x) if (r5.i === i5.i) r5.i = t6.i;
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
          if (!t5) {
            i4 = r5;
            t5 = true;
          }
        }
        r4 = n3;
      }
    }
    s3 = 0;
    v3--;
    if (t5) throw i4;
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
  var t5 = o3, r4 = n2;
  o3 = void 0;
  n2 = void 0;
  try {
    return i4();
  } finally {
    o3 = t5;
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
    var t5 = i4.n;
    if (void 0 === t5 || t5.t !== o3) {
      t5 = { i: 0, S: i4, p: o3.s, n: void 0, t: o3, e: void 0, x: void 0, r: t5 };
      if (void 0 !== o3.s) o3.s.n = t5;
      o3.s = t5;
      i4.n = t5;
      if (32 & o3.f) i4.S(t5);
      return t5;
    } else if (-1 === t5.i) {
      t5.i = 0;
      if (void 0 !== t5.n) {
        t5.n.p = t5.p;
        if (void 0 !== t5.p) t5.p.n = t5.n;
        t5.p = o3.s;
        t5.n = void 0;
        o3.s.n = t5;
        o3.s = t5;
      }
      return t5;
    }
  }
}
function l3(i4, t5) {
  this.v = i4;
  this.i = 0;
  this.n = void 0;
  this.t = void 0;
  this.l = 0;
  this.W = null == t5 ? void 0 : t5.watched;
  this.Z = null == t5 ? void 0 : t5.unwatched;
  this.name = null == t5 ? void 0 : t5.name;
}
l3.prototype.brand = i3;
l3.prototype.h = function() {
  return true;
};
l3.prototype.S = function(i4) {
  var t5 = this, r4 = this.t;
  if (r4 !== i4 && void 0 === i4.e) {
    i4.x = r4;
    this.t = i4;
    if (void 0 !== r4) r4.e = i4;
    else f3(function() {
      var i5;
      null == (i5 = t5.W) || i5.call(t5);
    });
  }
};
l3.prototype.U = function(i4) {
  var t5 = this;
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
        null == (i5 = t5.Z) || i5.call(t5);
      });
    }
  }
};
l3.prototype.subscribe = function(i4) {
  var t5 = this;
  return x2(function() {
    var r4 = t5.value;
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
function y3(i4, t5) {
  return new l3(i4, t5);
}
function w3(i4) {
  for (var t5 = i4.s; void 0 !== t5; t5 = t5.n) if (t5.S.i !== t5.i || !t5.S.h() || t5.S.i !== t5.i) return true;
  return false;
}
function b(i4) {
  for (var t5 = i4.s; void 0 !== t5; t5 = t5.n) {
    var r4 = t5.S.n;
    if (void 0 !== r4) t5.r = r4;
    t5.S.n = t5;
    t5.i = -1;
    if (void 0 === t5.n) {
      i4.s = t5;
      break;
    }
  }
}
function _2(i4) {
  var t5 = i4.s, r4 = void 0;
  while (void 0 !== t5) {
    var n3 = t5.p;
    if (-1 === t5.i) {
      t5.S.U(t5);
      if (void 0 !== n3) n3.n = t5.n;
      if (void 0 !== t5.n) t5.n.p = n3;
    } else r4 = t5;
    t5.S.n = t5.r;
    if (void 0 !== t5.r) t5.r = void 0;
    t5 = n3;
  }
  i4.s = r4;
}
function j2(i4, t5) {
  l3.call(this, void 0, t5);
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
    var t5 = this.x();
    if (16 & this.f || this.v !== t5 || 0 === this.i) {
      this.v = t5;
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
    for (var t5 = this.s; void 0 !== t5; t5 = t5.n) t5.S.S(t5);
  }
  l3.prototype.S.call(this, i4);
};
j2.prototype.U = function(i4) {
  if (void 0 !== this.t) {
    l3.prototype.U.call(this, i4);
    if (void 0 === this.t) {
      this.f &= -33;
      for (var t5 = this.s; void 0 !== t5; t5 = t5.n) t5.S.U(t5);
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
function O(i4, t5) {
  return new j2(i4, t5);
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
    } catch (t5) {
      i4.f &= -2;
      i4.f |= 8;
      g3(i4);
      throw t5;
    } finally {
      o3 = n3;
      t3();
    }
  }
}
function g3(i4) {
  for (var t5 = i4.s; void 0 !== t5; t5 = t5.n) t5.S.U(t5);
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
function m3(i4, t5) {
  this.x = i4;
  this.j = void 0;
  this.s = void 0;
  this.u = void 0;
  this.f = 32;
  this.name = null == t5 ? void 0 : t5.name;
  if (n2) n2.push(this);
}
m3.prototype.c = function() {
  var i4 = this.S();
  try {
    if (8 & this.f) return;
    if (void 0 === this.x) return;
    var t5 = this.x();
    if ("function" == typeof t5) this.j = t5;
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
function x2(i4, t5) {
  var r4 = new m3(i4, t5);
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
  var n3 = this, r4 = i4.data, t5 = useSignal(r4);
  t5.name = "ReactiveDom";
  t5.value = r4;
  var e4 = w2(function() {
    var i5 = n3, r5 = n3.__v;
    while (r5 = r5.__) if (r5.__c) {
      r5.__c.__$f |= 4;
      break;
    }
    var o5 = O(function() {
      var i6 = t5.value.value;
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
    var r4, t5 = n3.props;
    for (var f5 in t5) if ("children" !== f5) {
      var o5 = t5[f5];
      if (o5 instanceof l3) {
        if (!r4) n3.__np = r4 = {};
        r4[f5] = o5;
        t5[f5] = o5.peek();
      }
    }
  }
  i4(n3);
});
b2("__r", function(i4, r4) {
  i4(r4);
  if (r4.type !== $) {
    y4();
    var t5, f5 = r4.__c;
    if (f5) {
      f5.__$f &= -2;
      if (void 0 === (t5 = f5.__$u)) f5.__$u = t5 = (function(i5, n3) {
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
    y4(t5);
  }
});
b2("__e", function(i4, n3, r4, t5) {
  y4();
  d3 = void 0;
  i4(n3, r4, t5);
});
b2("diffed", function(i4, n3) {
  y4();
  d3 = void 0;
  var r4;
  if ("string" == typeof n3.type && (r4 = n3.__e)) {
    var t5 = n3.__np, f5 = n3.props, o5 = r4.U;
    if (o5) for (var e4 in o5) {
      var u4 = o5[e4];
      if (!(void 0 === u4 || t5 && e4 in t5)) {
        u4.d();
        o5[e4] = void 0;
      }
    }
    if (t5) {
      if (!o5) {
        o5 = {};
        r4.U = o5;
      }
      for (var a5 in t5) {
        var c4 = o5[a5], v4 = t5[a5];
        if (void 0 === c4) {
          c4 = k3(r4, a5, v4, f5);
          o5[a5] = c4;
        } else c4.o(v4, f5);
      }
    }
  }
  i4(n3);
});
function k3(i4, n3, r4, t5) {
  var f5 = n3 in i4 && void 0 === i4.ownerSVGElement, o5 = y3(r4);
  return { o: function(i5, n4) {
    o5.value = i5;
    t5 = n4;
  }, d: x2(function() {
    this.N = M2;
    var r5 = o5.value.value;
    if (t5[n3] !== r5) {
      t5[n3] = r5;
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
      var t5 = r4.U;
      if (t5) {
        r4.U = void 0;
        for (var f5 in t5) {
          var o5 = t5[f5];
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
b2("__h", function(i4, n3, r4, t5) {
  if (t5 < 3) n3.__$f |= 2;
  i4(n3, r4, t5);
});
x.prototype.shouldComponentUpdate = function(i4, n3) {
  if (this.__R) return true;
  var r4 = this.__$u, t5 = r4 && void 0 !== r4.s;
  for (var f5 in n3) return true;
  if (this.__f || "boolean" == typeof this.u && true === this.u) {
    var o5 = 2 & this.__$f;
    if (!(t5 || o5 || 4 & this.__$f)) return true;
    if (1 & this.__$f) return true;
  } else {
    if (!(t5 || 4 & this.__$f)) return true;
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
    cancelAnimationFrame(t5);
    i4();
  }, r4 = setTimeout(n3, 35), t5 = requestAnimationFrame(n3);
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
  var t5 = d3;
  A2(function() {
    return x2(function() {
      this.N = x3;
      if (!(t5 && 8 & t5.__$f)) return r4.current();
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
function a4(t5, e4, n3, u4, a5, i4) {
  e4 || (e4 = {});
  var c4, l4, p5 = e4;
  if ("ref" in p5 && "function" != typeof t5) for (l4 in p5 = {}, e4) "ref" == l4 ? c4 = e4[l4] : p5[l4] = e4[l4];
  var s4 = { type: t5, props: p5, key: n3, ref: c4, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: f4, __v: --o4, __i: -1, __u: 0 };
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

// src/pages/Home.tsx
var Home = (_4) => /* @__PURE__ */ a4("main", { class: "page", children: "Home" });

// src/settings.ts
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

// src/words_game.ts
var gameWords = {
  toHome: ["To the start page", "最初のページへ"],
  missingTitle: ["Nothing is here", "ページがありません"],
  missingText: ["This address means nothing on this server.", "このサーバーにこのアドレスのページはありません。"],
  otherLang: ["日本語", "English"],
  otherLangTitle: ["日本語で表示", "Show in English"],
  themeTitle: ["Light or dark", "明るい・暗い"],
  close: ["Close", "閉じる"],
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
  fault_other: ["fault: {kind}", "異常：{kind}"],
  faultAt: ["at {at}", "{at}"],
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
  estimateNote: ["An estimate, not a fact: {text}", "事実ではなく推定です：{text}"],
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
var pageWords = {};

// src/words.ts
var table = { ...gameWords, ...pageWords };
var plural = new Intl.PluralRules("en");
var numbers = { en: new Intl.NumberFormat("en"), ja: new Intl.NumberFormat("ja") };
var num = (n3) => numbers[lang.value].format(n3);
function t4(key, places) {
  let text = table[key][lang.value === "ja" ? 1 : 0];
  const bar = text.indexOf("|");
  if (bar >= 0 && places && typeof places["n"] === "number")
    text = plural.select(places["n"]) === "one" ? text.slice(0, bar) : text.slice(bar + 1);
  if (!places) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = places[name];
    return value === void 0 ? whole : typeof value === "number" ? num(value) : value;
  });
}
function tn(key, places) {
  const text = table[key][lang.value === "ja" ? 1 : 0];
  return text.split(/\{(\w+)\}/).map((part, i4) => i4 % 2 === 0 ? part : places[part]);
}

// src/pages/Missing.tsx
var Missing = (_4) => /* @__PURE__ */ a4("div", { class: "screen", children: [
  /* @__PURE__ */ a4(TopBar, {}),
  /* @__PURE__ */ a4("main", { class: "page empty", children: [
    /* @__PURE__ */ a4("h1", { children: t4("missingTitle") }),
    /* @__PURE__ */ a4("p", { children: t4("missingText") }),
    /* @__PURE__ */ a4("p", { children: /* @__PURE__ */ a4("a", { class: "button", href: base, children: t4("toHome") }) })
  ] })
] });

// src/pages/Open.tsx
var Open = (_4) => /* @__PURE__ */ a4("main", { class: "page", children: "Open" });

// src/pages/Operator.tsx
var Operator = (_4) => /* @__PURE__ */ a4("main", { class: "page", children: "Operator" });

// src/pages/RoomPage.tsx
var RoomPage = (_4) => /* @__PURE__ */ a4("main", { class: "page", children: "RoomPage" });

// src/pages/Search.tsx
var Search = (_4) => /* @__PURE__ */ a4("main", { class: "page", children: "Search" });

// src/pages/SeatPage.tsx
var SeatPage = (_4) => /* @__PURE__ */ a4("main", { class: "page", children: "SeatPage" });

// src/pages/SessionPage.tsx
var SessionPage = (_4) => /* @__PURE__ */ a4("main", { class: "page", children: "SessionPage" });

// src/pages/Mind.tsx
var Mind = (_4) => /* @__PURE__ */ a4("main", { class: "page", children: "Mind" });

// src/pages/Wall.tsx
var Wall = (_4) => /* @__PURE__ */ a4("main", { class: "page", children: "Wall" });

// src/routes.tsx
var base = "/web/";
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
  { word: "login", withId: false, page: Operator }
];
function pageAt(path) {
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
var TopBar = ({ children, home = true }) => /* @__PURE__ */ a4("header", { class: "topbar", children: [
  home ? /* @__PURE__ */ a4("a", { class: "brand", href: base, "aria-label": t4("toHome"), children: /* @__PURE__ */ a4(Mark, {}) }) : /* @__PURE__ */ a4("span", { class: "brand", children: /* @__PURE__ */ a4(Mark, {}) }),
  children,
  children === void 0 && /* @__PURE__ */ a4("span", { class: "space" }),
  /* @__PURE__ */ a4(LangButton, {}),
  /* @__PURE__ */ a4(ThemeButton, {})
] });

// src/game/hash.ts
var tabs = ["log", "votes", "claims", "stances", "mind"];
var speeds = [0.5, 1, 2, 5, 10];
function readMoment(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const made = {};
  const view = fields.get("view");
  if (view === "public" || view === "all") made.view = view;
  else if (view !== null && /^([1-9]|[12]\d|30)$/.test(view)) made.view = Number(view);
  const at = fields.get("at");
  if (at !== null && /^[a-z0-9.]{1,40}$/.test(at)) made.at = at;
  const tab = fields.get("tab");
  if (tab !== null && tabs.includes(tab)) made.tab = tab;
  const lang2 = fields.get("lang");
  if (lang2 === "en" || lang2 === "ja") made.lang = lang2;
  const speed = Number(fields.get("speed"));
  if (speeds.includes(speed)) made.speed = speed;
  return made;
}
function momentText(moment2) {
  const fields = new URLSearchParams();
  for (const key of ["view", "at", "tab", "lang", "speed"])
    if (moment2[key] !== void 0) fields.set(key, String(moment2[key]));
  const text = fields.toString();
  return text === "" ? "" : `#${text}`;
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
  const at = speeds.indexOf(game.speed.value);
  game.speed.value = speeds[Math.max(0, Math.min(speeds.length - 1, at + step))] ?? 1;
}
function Key({ game, name, go, disabled }) {
  return /* @__PURE__ */ a4(
    "button",
    {
      type: "button",
      class: "button square",
      "aria-label": t4(name),
      title: t4(name),
      "aria-disabled": disabled,
      onClick: () => {
        game.playing.value = false;
        game.go(go());
      },
      children: /* @__PURE__ */ a4(ControlIcon, { name })
    }
  );
}
function Controls({ game, onLink, onKeys }) {
  const at = game.cursor.value;
  const last = game.last.value;
  const playing = game.playing.value;
  const hidden2 = game.view.value === "public" && game.status.value !== "running" && course.value === "reached" && game.reached.value < last;
  void keysOn.value;
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("div", { class: "controls", children: [
      /* @__PURE__ */ a4(Key, { game, name: "first", go: () => 0, disabled: at === 0 }),
      /* @__PURE__ */ a4(Key, { game, name: "back", go: () => game.cursor.value - 1, disabled: at === 0 }),
      /* @__PURE__ */ a4("button", { type: "button", class: "button square strong", "aria-label": t4(playing ? "pause" : "play"), title: t4(playing ? "pause" : "play"), onClick: () => togglePlay(game), children: /* @__PURE__ */ a4(ControlIcon, { name: playing ? "pause" : "play" }) }),
      /* @__PURE__ */ a4(Key, { game, name: "forward", go: () => game.cursor.value + 1, disabled: at >= last }),
      /* @__PURE__ */ a4(Key, { game, name: "lastEvent", go: () => last, disabled: at >= last })
    ] }),
    /* @__PURE__ */ a4("div", { class: "figures", children: [
      /* @__PURE__ */ a4("span", { class: "position", children: hidden2 ? num(at + 1) : t4("position", { at: at + 1, all: last + 1 }) }),
      /* @__PURE__ */ a4(
        "select",
        {
          class: "field speed",
          "aria-label": t4("speed"),
          title: t4("speed"),
          value: String(game.speed.value),
          onChange: (change) => {
            game.speed.value = Number(change.currentTarget.value);
          },
          children: speeds.map((speed) => /* @__PURE__ */ a4("option", { value: String(speed), children: `${speed}×` }, speed))
        }
      ),
      game.view.value === "public" && game.status.value !== "running" && /* @__PURE__ */ a4(
        "button",
        {
          type: "button",
          class: "button square quiet",
          "aria-pressed": course.value === "whole",
          "aria-label": t4("wholeCourse"),
          title: t4("wholeCourse"),
          onClick: () => {
            course.value = course.value === "whole" ? "reached" : "whole";
          },
          children: /* @__PURE__ */ a4(ControlIcon, { name: "course" })
        }
      ),
      /* @__PURE__ */ a4("button", { type: "button", class: "button square quiet", "aria-label": t4("copyLink"), title: t4("copyLink"), onClick: onLink, children: /* @__PURE__ */ a4(ControlIcon, { name: "link" }) }),
      /* @__PURE__ */ a4("button", { type: "button", class: "button square quiet wide-only", "aria-label": t4("keys"), title: t4("keys"), onClick: onKeys, children: /* @__PURE__ */ a4(ControlIcon, { name: "keys" }) })
    ] })
  ] });
}

// src/game/Find.tsx
function found(course2, words, until, language) {
  const wanted = words.trim().toLocaleLowerCase();
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
  const words = useSignal("");
  const field = T2(null);
  A2(() => field.current?.focus(), []);
  void game.grown.value;
  const hits = found(game.course.value, words.value, game.last.value, lang.value);
  const at = game.cursor.value;
  const place2 = hits.indexOf(at);
  const go = (step) => {
    const next = step > 0 ? hits.find((n3) => n3 > at) ?? hits[0] : hits.filter((n3) => n3 < at).pop() ?? hits[hits.length - 1];
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
        "aria-label": t4("find"),
        placeholder: t4("find"),
        value: words.value,
        onInput: (input) => {
          words.value = input.currentTarget.value;
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
    /* @__PURE__ */ a4("span", { class: "note", role: "status", children: words.value.trim() === "" ? "" : hits.length === 0 ? t4("findNone") : t4("findCount", { at: place2 >= 0 ? place2 + 1 : "–", n: hits.length }) }),
    /* @__PURE__ */ a4("button", { type: "button", class: "button square quiet", "aria-label": t4("findBefore"), onClick: () => go(-1), children: "↑" }),
    /* @__PURE__ */ a4("button", { type: "submit", class: "button square quiet", "aria-label": t4("findNext"), children: "↓" }),
    /* @__PURE__ */ a4("button", { type: "button", class: "button square quiet", "aria-label": t4("close"), onClick: onClose, children: "✕" })
  ] });
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
      const at = this.doc.seats.findIndex((each) => each.seat === seat.seat);
      if (at >= 0) this.doc.seats[at] = seat;
      this.names[seat.seat] = seat.name;
    }
    return true;
  }
  /** Index of the phase in which event `n` lies, -1 before the first. */
  phaseIndex(n3) {
    const phases = this.doc.phases;
    let low = 0;
    let high = phases.length;
    while (low < high) {
      const middle = low + high >> 1;
      if (phases[middle].first <= n3) low = middle + 1;
      else high = middle;
    }
    return low - 1;
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
    for (let at = n3 + step; at >= 0 && at < this.length; at += step) {
      const event = this.doc.events[at];
      if (event.seat === seat && (event.kind === "talk" || event.kind === "whisper") && !event.quiet) return at;
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
var roleWord = (role) => t4(`role_${role}`);
var RoleSign = ({ role, claimed }) => /* @__PURE__ */ a4("svg", { class: `sign r-${role}${claimed ? " claimed" : ""}`, viewBox: "0 0 32 32", role: "img", "aria-label": claimed ? t4("claimsRole", { role: roleWord(role) }) : roleWord(role), children: [
  /* @__PURE__ */ a4("circle", { cx: "16", cy: "16", r: "14.600", class: "ring" }),
  /* @__PURE__ */ a4("path", { d: paths[role], transform: "translate(4 4)", fill: "currentColor", "fill-rule": "evenodd" })
] });
var RoleWord = ({ role }) => /* @__PURE__ */ a4("span", { class: `roleword r-${role}`, children: [
  /* @__PURE__ */ a4("svg", { viewBox: "2 2 20 20", "aria-hidden": "true", children: /* @__PURE__ */ a4("path", { d: paths[role], fill: "currentColor", "fill-rule": "evenodd" }) }),
  roleWord(role)
] });

// src/game/moment.ts
function seatText(course2, seat) {
  if (!seat) return "–";
  const name = course2.names[seat] ?? "";
  return name === "" || isNumberName(name) ? String(seat) : `${seat} ${shown(name)}`;
}
var whenText = (day, night) => night ? t4("dayNight", { day }) : t4("day", { day });
function spokenText(event, plainFirst) {
  const plain = event.plain?.[lang.value] ?? event.plain?.["en"];
  return shown(plainFirst && plain ? plain : event.text ?? "");
}
function faultText(fault) {
  const kind = fault?.kind ?? "";
  const known = ["timeout", "disconnect", "malformed", "early", "violation", "fallback"].includes(kind);
  const parts = [known ? t4(`fault_${kind}`) : t4("fault_other", { kind: shown(kind) })];
  if (fault?.at) parts.push(t4("faultAt", { at: shown(fault.at) }));
  if (fault?.after_ms !== void 0) parts.push(t4("afterTime", { time: durationText(fault.after_ms) }));
  return parts.join(lang.value === "ja" ? "・" : ", ");
}
function durationText(ms) {
  const unit2 = ms >= 1e3 ? "second" : "millisecond";
  const digits = ms >= 1e3 ? 1 : 0;
  return new Intl.NumberFormat(lang.value, { style: "unit", unit: unit2, unitDisplay: "short", maximumFractionDigits: digits }).format(ms >= 1e3 ? ms / 1e3 : ms);
}
var resultText = (species) => species === "WEREWOLF" ? t4("resultWolf") : species === "HUMAN" ? t4("resultHuman") : t4("resultNone");
function momentSentence(course2, event, plainFirst) {
  const who2 = seatText(course2, event.seat);
  const target = seatText(course2, event.target);
  switch (event.kind) {
    case "day":
      return t4("day", { day: event.day });
    case "night":
      return t4("dayNight", { day: event.day });
    case "talk":
    case "whisper":
      return event.quiet ? `${who2} ${t4("isSilent")}` : t4("speaks", { who: who2, text: spokenText(event, plainFirst) });
    case "standing":
      return event.target ? t4("stands", { who: who2, target }) : t4("standsBack", { who: who2 });
    case "vote":
    case "attack_vote":
      return `${t4(event.kind === "vote" ? "ballot" : "attackBallot")}: ${who2} → ${target}`;
    case "execute":
      return t4("executed", { who: who2 });
    case "death":
      return t4(`died_${event.cause === "cursed" || event.cause === "left" ? event.cause : "attacked"}`, { who: who2 });
    case "divine":
      return event.target ? t4("divines", { who: who2, target, result: resultText(event.species) }) : t4("divinesNobody", { who: who2 });
    case "identify":
      return t4("identifies", { who: who2, target, result: resultText(event.species) });
    case "guard":
      return event.target ? t4("guards", { who: who2, target }) : t4("guardsNobody", { who: who2 });
    case "attack":
      return event.target ? t4(event.killed === false ? "attackFails" : "attacks", { target }) : t4("attacksNobody");
    case "role":
    case "reveal":
      return t4("learnsRole", { who: who2, role: event.role ? roleWord(event.role) : "?" });
    case "score":
      return `${who2}: ${event.points ?? 0}`;
    case "fault":
      return `${who2}: ${faultText(event.fault)}`;
    case "notice":
      return shown(event.text ?? "");
    case "end":
      return t4(`won_${event.winner ?? "NONE"}`);
    default:
      return t4("unknownKind", { n: 1 });
  }
}
var isBallot = (event) => event?.kind === "vote" || event?.kind === "attack_vote";
function sliderText(course2, table2) {
  const event = course2.event(table2.n);
  const when = whenText(table2.day, table2.night);
  if (!event) return when;
  if (!isBallot(event)) return event.kind === "day" || event.kind === "night" ? when : `${when}, ${momentSentence(course2, event, true)}`.slice(0, 240);
  const top = tally(table2.arrows.filter((arrow) => arrow.kind === event.kind))[0];
  const count = top ? t4("votesFor", { n: top.voters.length, who: seatText(course2, top.target) }) : t4("noVotes");
  return `${when}, ${t4(event.kind === "vote" ? "ballot" : "attackBallot")}, ${count}`;
}
function tableSentence(course2, table2) {
  const parts = [t4("sentence", { when: whenText(table2.day, table2.night), alive: t4("alive", { n: table2.alive }) })];
  const event = course2.event(table2.n);
  if (table2.winner) parts.push(t4(`won_${table2.winner}`));
  else if (isBallot(event) || event?.kind === "execute")
    for (const count of tally(table2.arrows.filter((arrow) => arrow.kind === (event?.kind === "attack_vote" ? "attack_vote" : "vote"))))
      parts.push(t4("votesFor", { n: count.voters.length, who: seatText(course2, count.target) }));
  else if (event && event.kind !== "day" && event.kind !== "night") parts.push(momentSentence(course2, event, true));
  return parts.join(" ");
}

// src/game/GameBar.tsx
function choiceText(game, view) {
  if (view === "public") return t4("viewPublic");
  if (view === "all") return t4("viewAll");
  const text = seatText(game.course.value, view);
  return /^\d+$/.test(text) ? t4("viewSeat", { seat: text }) : text;
}
function ViewSelect({ game, onView }) {
  const choices = game.choices;
  return /* @__PURE__ */ a4("label", { class: "viewchoice", children: [
    /* @__PURE__ */ a4("span", { class: "note wide-only", children: t4("view") }),
    /* @__PURE__ */ a4(
      "select",
      {
        class: "field",
        "aria-label": t4("view"),
        value: String(game.view.value),
        onChange: (change) => {
          const value = change.currentTarget.value;
          onView(value === "public" || value === "all" ? value : Number(value));
        },
        children: choices.map((view) => /* @__PURE__ */ a4("option", { value: String(view), children: choiceText(game, view) }, String(view)))
      }
    )
  ] });
}
var TabBar = ({ game }) => /* @__PURE__ */ a4("div", { class: "tabs", role: "tablist", "aria-label": t4("panels"), children: tabs.filter((tab) => tab !== "mind" || game.hasMind.value).map((tab) => /* @__PURE__ */ a4(
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
    children: t4(`tab_${tab}`)
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
      "aria-label": t4("docRound"),
      value: String(docs.findIndex((doc) => doc.id === game.doc.value.id)),
      onChange: (change) => onRound(Number(change.currentTarget.value)),
      children: docs.map((doc, i4) => /* @__PURE__ */ a4("option", { value: String(i4), children: shown(doc.id) }, i4))
    }
  );
}
function GameBar({ game, home, onView, onRound }) {
  const doc = game.doc.value;
  const running = game.status.value === "running";
  const canShow = game.choices.includes("all") && !running;
  const open = game.view.value !== "public";
  return /* @__PURE__ */ a4(TopBar, { home, children: [
    /* @__PURE__ */ a4("h1", { class: "title", title: shown(doc.id), children: /* @__PURE__ */ a4(Name, { text: doc.id }) }),
    /* @__PURE__ */ a4(RoundSelect, { game, onRound }),
    /* @__PURE__ */ a4("span", { class: "note rules wide-only", children: t4("rulesPlayers", { rules: shown(doc.rules.name), n: doc.rules.players }) }),
    running && /* @__PURE__ */ a4("span", { class: "pill live", children: [
      /* @__PURE__ */ a4("i", {}),
      t4("live")
    ] }),
    (doc.status === "aborted" || doc.status === "truncated") && /* @__PURE__ */ a4("span", { class: "pill wide-only", children: t4(`status_${doc.status}`) }),
    /* @__PURE__ */ a4(ViewSelect, { game, onView }),
    canShow && /* @__PURE__ */ a4("button", { type: "button", class: "button reveal wide-only", "aria-pressed": open, onClick: () => onView(open ? "public" : "all"), children: open ? t4("hideRoles") : t4("showRoles") }),
    /* @__PURE__ */ a4("span", { class: "space" }),
    /* @__PURE__ */ a4(TabBar, { game })
  ] });
}

// src/game/KeyList.tsx
var list = [
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
function KeyList({ onClose }) {
  const dialog = T2(null);
  A2(() => dialog.current?.showModal(), []);
  return /* @__PURE__ */ a4(
    "dialog",
    {
      class: "dialog",
      ref: dialog,
      onClose,
      "aria-labelledby": "keys-title",
      onClick: (press) => {
        if (press.target === dialog.current) dialog.current?.close();
      },
      children: /* @__PURE__ */ a4("div", { class: "dialogbody", children: [
        /* @__PURE__ */ a4("h2", { id: "keys-title", children: t4("keysTitle") }),
        /* @__PURE__ */ a4("dl", { class: "keylist", children: list.map(([keys, word]) => /* @__PURE__ */ a4("div", { children: [
          /* @__PURE__ */ a4("dt", { children: keys.map((key) => key === "…" ? " … " : /* @__PURE__ */ a4("kbd", { children: key }, key)) }),
          /* @__PURE__ */ a4("dd", { children: t4(word) })
        ] }, word)) }),
        /* @__PURE__ */ a4("label", { class: "check", children: [
          /* @__PURE__ */ a4("input", { type: "checkbox", checked: keysOn.value === "on", onChange: (change) => {
            keysOn.value = change.currentTarget.checked ? "on" : "off";
          } }),
          " ",
          t4("keysSwitch")
        ] }),
        /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => dialog.current?.close(), children: t4("close") })
      ] })
    }
  );
}

// src/game/keys.ts
var inField = (target) => target instanceof Element && target.closest("input,textarea,select,[contenteditable]") !== null;
var tabKeys = { l: "log", v: "votes", c: "claims", s: "stances", m: "mind" };
function actKey(key, shift, game, acts) {
  const course2 = game.course.value;
  const at = game.cursor.value;
  const go = (n3) => {
    game.playing.value = false;
    if (n3 >= 0) game.go(n3);
    return true;
  };
  switch (key) {
    case "ArrowLeft":
      return go(shift ? course2.sameSeat(at, -1) : at - 1);
    case "ArrowRight":
      return go(shift ? course2.sameSeat(at, 1) : at + 1);
    case "[":
      return go(course2.otherDay(at, -1));
    case "]":
      return go(course2.otherDay(at, 1));
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
      if (keysOn.value === "off" || inField(event.target) || document.querySelector("dialog[open]")) return;
      if ((event.key === " " || event.key === "Enter") && event.target.closest?.("button,a,summary")) return;
      if (actKey(event.key, event.shiftKey, game, acts)) event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [game, acts]);
}

// src/api.ts
var ApiError = class extends Error {
  constructor(status, code, text) {
    super(text);
    this.status = status;
    this.code = code;
  }
  status;
  code;
};
function operatorSecret() {
  try {
    return sessionStorage.getItem("warg.operator") ?? "";
  } catch {
    return "";
  }
}
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
  throw new ApiError(answer.status, error?.code ?? "http", error?.text ?? `${answer.status} ${answer.statusText}`);
}
async function ask(path, how) {
  try {
    return await fetch(`/web/api/${path}`, { credentials: "same-origin", ...how });
  } catch {
    throw new ApiError(0, "network", "The server does not answer.");
  }
}
async function get(path) {
  return await taken(await ask(path, { headers: headers() }));
}

// src/rows.ts
var kinds = {
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
var kindOf = (event) => event.quiet ? "quiet" : kinds[event.kind] ?? "unknown";
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
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = low + high >> 1;
    if (rows[middle].first <= n3) low = middle + 1;
    else high = middle;
  }
  return low - 1;
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
    if (first < next) phases.push({ ...phase, first });
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
  /** Whether thoughts of players can be shown: the tab is there. */
  hasMind = y3(false);
  /** Follows a running game; off as soon as one goes back. */
  following = y3(false);
  status = y3("finished");
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
  const known = new Map(to.doc.events.map((event, at) => [event.a, at]));
  for (let at = n3; at >= 0; at--) {
    const found2 = known.get(from.event(at)?.a ?? "");
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

// src/game/load.ts
async function fetchDoc(id, view) {
  return readDoc(await get(`games/${encodeURIComponent(id)}/doc?view=${viewName(view)}`));
}
async function loadGame(game, id) {
  game.fetchView = (view) => fetchDoc(id, view);
  const wanted = readMoment(location.hash);
  game.show(await fetchDoc(id, "public"));
  await applyMoment(game, wanted, true);
  if (wanted.view === void 0 && game.wasShown && game.status.value !== "running") await chooseView(game, "all");
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
  const at = game.course.value.event(game.cursor.value)?.a;
  return {
    ...game.view.value === "public" ? {} : { view: game.view.value },
    ...at === void 0 || game.status.value === "running" && game.following.value ? {} : { at },
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
      const text = momentText(momentOf(game));
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
async function copyLink(game) {
  const at = game.course.value.event(game.cursor.value)?.a;
  const link = `${location.href.replace(/#.*$/, "")}${momentText({ ...momentOf(game), ...at === void 0 ? {} : { at } })}`;
  try {
    await navigator.clipboard.writeText(link);
    return true;
  } catch {
    return false;
  }
}

// src/linked.ts
function wordKind(char) {
  if (char === void 0) return 0;
  if (/[\p{Script=Latin}\p{Nd}_]/u.test(char)) return 1;
  if (/[\p{Script=Katakana}ー]/u.test(char)) return 2;
  return 0;
}
var bounded = (text, at, length) => {
  const before = wordKind(text[at - 1]);
  const after = wordKind(text[at + length]);
  return (before === 0 || before !== wordKind(text[at])) && (after === 0 || after !== wordKind(text[at + length - 1]));
};
function linked(text, names) {
  const order = names.map((name, seat) => ({ name: name ?? "", seat })).filter((each) => each.name !== "" && each.seat > 0 && text.includes(each.name)).sort((a5, b3) => b3.name.length - a5.name.length || a5.seat - b3.seat);
  if (order.length === 0) return [text];
  const pieces = [];
  let begin = 0;
  for (let at = 0; at < text.length; ) {
    const found2 = order.find((each) => text.startsWith(each.name, at) && bounded(text, at, each.name.length));
    if (!found2) {
      at++;
      continue;
    }
    const start = at > begin && text[at - 1] === "@" ? at - 1 : at;
    if (start > begin) pieces.push(text.slice(begin, start));
    at += found2.name.length;
    pieces.push({ seat: found2.seat, text: text.slice(start, at) });
    begin = at;
  }
  if (begin < text.length) pieces.push(text.slice(begin));
  return pieces;
}

// src/game/Said.tsx
var agentName = /Agent\[(\d\d)\]/g;
function withChips(text) {
  return shown(text).split(agentName).map((part, i4) => i4 % 2 === 0 ? part : /* @__PURE__ */ a4(Chip, { seat: Number(part) }, i4));
}
function withNames(text, names) {
  return linked(text, names).map((piece, i4) => typeof piece === "string" ? shown(piece) : /* @__PURE__ */ a4("bdi", { class: `at s${piece.seat}`, children: shown(piece.text) }, i4));
}
function saidLang(event, course2) {
  if (course2.doc.lang === "aiwolf") return sentences.value === "plain" && event.plain ? lang.value : "en";
  return course2.doc.lang;
}
function Said({ event, course: course2 }) {
  const text = event.text ?? "";
  if (course2.doc.lang !== "aiwolf") return /* @__PURE__ */ a4($, { children: withNames(text.trim(), course2.names) });
  const plain = event.plain?.[lang.value] ?? event.plain?.["en"];
  if (sentences.value === "plain" && plain) return /* @__PURE__ */ a4("span", { title: shown(text), children: withChips(plain) });
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
        says.species === "WEREWOLF" ? t4("saysWolf") : t4("saysHuman")
      ] });
    case "GUARDED":
      return /* @__PURE__ */ a4("span", { class: "claim r-BODYGUARD", children: [
        /* @__PURE__ */ a4(Chip, { seat: target }),
        " ",
        t4("saysGuarded")
      ] });
    case "ESTIMATE":
      return /* @__PURE__ */ a4("span", { class: "claim guess", children: [
        /* @__PURE__ */ a4(Chip, { seat: target }),
        " ",
        t4("suspects")
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
var HeadRow = ({ row }) => /* @__PURE__ */ a4("h3", { class: row.night ? "headline night" : "headline", children: /* @__PURE__ */ a4("span", { children: whenText(row.day, row.night) }) });
function TalkRow({ course: course2, row }) {
  const event = course2.doc.events[row.first];
  const seat = event.seat ?? 0;
  const name = course2.names[seat] ?? "";
  const secret = event.kind === "whisper" || event.to !== void 0;
  return /* @__PURE__ */ a4("div", { class: secret ? "said secret" : "said", title: secret ? t4("whisperTitle") : void 0, children: [
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
    ] })
  ] });
}
function QuietRow(props) {
  const events = eventsOf(props);
  return /* @__PURE__ */ a4("p", { class: "silent", children: [
    events.map((event) => /* @__PURE__ */ a4(Chip, { seat: event.seat ?? 0 }, event.n)),
    " ",
    /* @__PURE__ */ a4("span", { class: "soft", children: events.every((event) => event.quiet === "forced") ? t4("timedOut") : t4("saidNothing") })
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
      attack ? t4("attackBallot") : again ? t4("ballotAgain", { n: (first.round ?? 0) + 1 }) : t4("ballot")
    ] }),
    counts.length === 0 && /* @__PURE__ */ a4("p", { class: "soft", children: t4("noVotes") }),
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
    result: /* @__PURE__ */ a4("b", { class: event.species === "WEREWOLF" ? "wolf" : "human", children: event.species === "WEREWOLF" ? t4("resultWolf") : event.species === "HUMAN" ? t4("resultHuman") : t4("resultNone") })
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
      t4("rolesWere")
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
      t4("scores")
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
    t4(`won_${event.winner ?? "NONE"}`),
    event.reason ? /* @__PURE__ */ a4("span", { class: "soft", children: [
      " – ",
      shown(event.reason)
    ] }) : null
  ] });
}
var UnknownRow = (props) => /* @__PURE__ */ a4("p", { class: "line notice", children: [
  /* @__PURE__ */ a4(RowIcon, { name: "info" }),
  /* @__PURE__ */ a4("span", { children: t4("unknownKind", { n: eventsOf(props).length }) })
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
    const list2 = this.list.current;
    if (!list2) return;
    if (this.keepBottom) this.toBottom();
    else if (this.heightBefore > 0) {
      list2.scrollTop += list2.scrollHeight - this.heightBefore;
      this.heightBefore = 0;
    }
  }
  toBottom() {
    const list2 = this.list.current;
    if (list2) list2.scrollTop = list2.scrollHeight;
  }
  scrolled = () => {
    const list2 = this.list.current;
    if (!list2) return;
    this.keepBottom = list2.scrollTop + list2.clientHeight >= list2.scrollHeight - 24;
    if (list2.scrollTop < 200 && this.shownAt >= this.above.value) {
      this.heightBefore = list2.scrollHeight;
      this.keepBottom = false;
      this.above.value += rowsAtOnce;
    }
  };
  view(row, until) {
    const whole = until >= row.last;
    const old = whole ? this.drawn.get(row) : void 0;
    if (old) return old;
    const View = rowViews[row.kind];
    const made = /* @__PURE__ */ a4(View, { course: this.props.telling.course, row, until });
    if (whole && row !== this.props.telling.rows[this.props.telling.rows.length - 1]) this.drawn.set(row, made);
    return made;
  }
  render() {
    const { game, telling } = this.props;
    void game.grown.value;
    const how = `${lang.value} ${sentences.value}`;
    if (how !== this.drawnFor) this.drawn = /* @__PURE__ */ new Map();
    this.drawnFor = how;
    const until = game.resting.value;
    const at = rowAt(telling.rows, until);
    this.shownAt = at;
    const from = Math.max(0, at + 1 - this.above.value);
    const rows = telling.rows.slice(from, at + 1);
    return /* @__PURE__ */ a4("div", { class: "log", ref: this.list, onScroll: this.scrolled, tabIndex: 0, role: "region", "aria-label": t4("tab_log"), children: [
      /* @__PURE__ */ a4("div", { class: "logspace" }),
      /* @__PURE__ */ a4("ol", { class: "rows", children: rows.map((row, i4) => /* @__PURE__ */ a4(
        "li",
        {
          class: from + i4 === at ? `row ${row.kind} now` : `row ${row.kind}`,
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

// src/game/Mind.tsx
var MindTab = (_4) => /* @__PURE__ */ a4("p", { class: "nothing", children: t4("noMind") });

// src/game/size.ts
function useSize() {
  const ref = T2(null);
  const size = useSignal({ width: 0, height: 0 });
  F2(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      const { width, height } = element.getBoundingClientRect();
      if (Math.round(width) !== size.value.width || Math.round(height) !== size.value.height)
        size.value = { width: Math.round(width), height: Math.round(height) };
    };
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  return { ref, size };
}

// src/game/Scrubber.tsx
var barHeight = 40;
var barStep = 6;
function spanOf(length, reached, whole) {
  if (whole || reached >= length - 1) return Math.max(1, length - 1);
  return Math.max(100, Math.ceil(reached * 1.25));
}
function draw(course2, width, span, until) {
  const x4 = (n3) => n3 / span * width;
  const made = { days: [], bars: "", deaths: "", executions: "", claims: "", faults: "" };
  const volume = new Float64Array(Math.ceil(width / barStep) + 1);
  const events = course2.doc.events;
  const mark = (at, top, bottom) => `M${at.toFixed(1)} ${top}V${bottom}`;
  let phase = -1;
  for (let n3 = 0; n3 <= until; n3++) {
    const event = events[n3];
    const at = x4(n3);
    const now = course2.phaseIndex(n3);
    if (now !== phase) {
      phase = now;
      const { day, night } = course2.doc.phases[now] ?? { day: event.day, night: event.kind === "night" };
      const before = made.days[made.days.length - 1];
      if (!before || before.day !== day || before.night !== night) {
        if (before) before.end = at;
        made.days.push({ x: at, day, night, end: at });
      }
    }
    if ((event.kind === "talk" || event.kind === "whisper") && !event.quiet) {
      const bin = Math.floor(at / barStep);
      volume[bin] = (volume[bin] ?? 0) + 12 + Math.min(200, (event.text ?? "").length);
      for (const says of event.says ?? [])
        if (says.kind === "COMINGOUT" && says.role && says.role !== "VILLAGER") made.claims += `M${(at - 2.5).toFixed(1)} 5a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0-5 0`;
    } else if (event.kind === "death") made.deaths += mark(at, 0, barHeight);
    else if (event.kind === "execute") made.executions += mark(at, 0, barHeight);
    else if (event.kind === "fault") made.faults += `M${at.toFixed(1)} 1l3.500 6h-7z`;
  }
  const last = made.days[made.days.length - 1];
  if (last) last.end = x4(until);
  const most = Math.max(1, ...volume);
  volume.forEach((each, bin) => {
    if (each > 0) made.bars += `M${bin * barStep + 1} ${barHeight}v-${(4 + each / most * 24).toFixed(1)}h${barStep - 2}V${barHeight}z`;
  });
  return made;
}
function dayLabels(days, width) {
  const room = lang.value === "ja" ? 34 : 26;
  const made = [];
  let free = 0;
  let seen = -1;
  for (const { x: x4, day } of days) {
    if (day === seen || x4 < free || x4 > width - 14) continue;
    seen = day;
    made.push({ x: x4, day });
    free = x4 + room;
  }
  return made;
}
function Ground({ drawing, width }) {
  return /* @__PURE__ */ a4($, { children: [
    drawing.days.map((part) => /* @__PURE__ */ a4("rect", { class: part.night ? "part night" : "part", x: part.x, width: Math.max(1, part.end - part.x), y: "0", height: barHeight }, part.x)),
    /* @__PURE__ */ a4("path", { class: "bars", d: drawing.bars }),
    /* @__PURE__ */ a4("path", { class: "deaths", d: drawing.deaths }),
    /* @__PURE__ */ a4("path", { class: "executions", d: drawing.executions }),
    /* @__PURE__ */ a4("path", { class: "claimdots", d: drawing.claims }),
    /* @__PURE__ */ a4("path", { class: "faults", d: drawing.faults }),
    /* @__PURE__ */ a4("g", { class: "days", "aria-hidden": "true", children: dayLabels(drawing.days, width).map((each) => /* @__PURE__ */ a4("text", { x: Math.max(1, each.x + 1), y: barHeight + 15, children: t4("dayShort", { day: each.day }) }, each.day)) })
  ] });
}
function Scrubber({ game }) {
  const { ref, size } = useSize();
  const width = Math.max(60, size.value.width);
  void game.grown.value;
  const course2 = game.course.value;
  const whole = game.view.value !== "public" || game.status.value === "running" || course.value === "whole";
  const frozen = useSignal(0);
  const span = frozen.value || spanOf(course2.length, game.reached.value, whole);
  const until = Math.min(course2.length - 1, whole ? course2.length - 1 : game.reached.value);
  const drawing = w2(() => draw(course2, width, span, until), [course2, course2.length, width, span, until]);
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
  const thumb = Math.min(width, game.cursor.value / span * width);
  return /* @__PURE__ */ a4(
    "div",
    {
      class: "scrubber",
      ref,
      role: "slider",
      tabIndex: 0,
      "aria-label": t4("course"),
      "aria-valuemin": 0,
      "aria-valuemax": whole ? game.last.value : Math.max(game.reached.value, game.cursor.value),
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
        /* @__PURE__ */ a4("svg", { width, height: barHeight + 20, "aria-hidden": "true", children: [
          /* @__PURE__ */ a4("rect", { class: "plain", x: "0", y: "0", width, height: barHeight, rx: "4" }),
          /* @__PURE__ */ a4(Ground, { drawing, width }),
          /* @__PURE__ */ a4("rect", { class: "frame", x: ".5", y: ".5", width: width - 1, height: barHeight - 1, rx: "4" }),
          /* @__PURE__ */ a4("g", { class: "thumb", transform: `translate(${thumb.toFixed(1)} 0)`, children: [
            /* @__PURE__ */ a4("path", { d: `M0 0V${barHeight + 3}` }),
            /* @__PURE__ */ a4("circle", { cx: "0", cy: "2", r: "7" })
          ] })
        ] }),
        hover.value >= 0 && hover.value <= until && /* @__PURE__ */ a4(Hint, { course: course2, n: hover.value, x: hover.value / span * width, width })
      ]
    }
  );
}
function Hint({ course: course2, n: n3, x: x4, width }) {
  const event = course2.event(n3);
  if (!event) return null;
  const night = course2.doc.phases[course2.phaseIndex(n3)]?.night ?? false;
  const half = Math.min(150, width / 2);
  return /* @__PURE__ */ a4("div", { class: "hint", style: { left: `${Math.max(half, Math.min(width - half, x4))}px` }, "aria-hidden": "true", children: [
    /* @__PURE__ */ a4("b", { children: whenText(event.day, night) }),
    " ",
    event.kind === "day" || event.kind === "night" ? "" : momentSentence(course2, event, true).slice(0, 160)
  ] });
}

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
      /* @__PURE__ */ a4("p", { class: "bigday", children: t4("day", { day: table2.day }) }),
      /* @__PURE__ */ a4("p", { class: "alive", children: table2.night ? t4("nightAlive", { n: table2.alive }) : t4("alive", { n: table2.alive }) })
    ] }),
    /* @__PURE__ */ a4(
      "div",
      {
        class: `bubble${event.kind === "whisper" ? " whisper" : ""}${length > 240 ? " small" : ""}`,
        style: { left: `${middle.x}px`, top: `${middle.y}px`, width: `${Math.min(layout.inner.width, 540)}px`, maxHeight: `${layout.inner.height - dayHeight - 12}px` },
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
  const wide = 34;
  const tip = { x: from.x + along.x * layout.radius * 0.6, y: from.y + along.y * layout.radius * 0.6 };
  const points = `${tip.x.toFixed(1)},${tip.y.toFixed(1)} ${(to.x - along.y * wide).toFixed(1)},${(to.y + along.x * wide).toFixed(1)} ${(to.x + along.y * wide).toFixed(1)},${(to.y - along.x * wide).toFixed(1)}`;
  return /* @__PURE__ */ a4("svg", { class: "beam", width: layout.width, height: layout.height, "aria-hidden": "true", children: /* @__PURE__ */ a4("polygon", { points }) });
}

// src/game/layout.ts
var power = 2.6;
function curve(a5, b3, turn) {
  const angle = turn * 2 * Math.PI - Math.PI / 2;
  const c4 = Math.cos(angle);
  const s4 = Math.sin(angle);
  return { x: a5 * Math.sign(c4) * Math.abs(c4) ** (2 / power), y: b3 * Math.sign(s4) * Math.abs(s4) ** (2 / power) };
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
  for (let i4 = 0, at = 0; i4 < count; i4++) {
    while (at < steps && along[at] < total * i4 / count) at++;
    made.push(points[at]);
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
function stageLayout(width, height, seats, named) {
  const count = Math.max(seats.length, 1);
  const small = width < 520 || height < 420;
  const room = 2 * (width + height) * 0.72;
  const radius = Math.round(Math.max(13, Math.min(small ? 21 : 34, room / count * 0.2, height * 0.075)));
  const labelHeight = small ? 14 : 18;
  const nameRoom = Math.round(Math.min(small ? 76 : 116, room / count * 0.82, width * 0.24));
  const showNames = named && nameRoom >= 46;
  const labelWidth = showNames ? Math.max(radius * 2 + 4, nameRoom) : radius * 2;
  const sideways = Math.max(radius + 14, labelWidth / 2 + 4);
  const up = radius + (small ? 9 : 16);
  const down = radius + labelHeight + (small ? 5 : 12);
  const centre = { x: width / 2, y: (up + height - down) / 2 };
  const a5 = Math.max(30, width / 2 - sideways - (small ? 0 : 10));
  const b3 = Math.max(30, (height - up - down) / 2);
  const places = spread(a5, b3, count).map((point, i4) => ({ seat: seats[i4] ?? 0, x: centre.x + point.x, y: centre.y + point.y }));
  const ta = Math.max(20, a5 - radius * 0.5);
  const tb = Math.max(20, b3 - radius * 0.5);
  return {
    width,
    height,
    centre,
    radius,
    labelWidth,
    labelHeight,
    named: showNames,
    tiny: height < 250 || width < 300,
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
  const low = -most;
  const high = most - (wanted.length - 1) * step;
  return pools.flatMap((pool) => Array(pool.count).fill(Math.max(low, Math.min(high, pool.sum / pool.count)))).map((angle, i4) => angle + i4 * step);
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
function arrowPaths(layout, arrows, names, headSize) {
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
    const angles = fanned(coming.map((each) => each.angle), 10 / (layout.radius + 6), 1.45);
    const label = labelWidthOf(layout, names[target] ?? String(target));
    coming.forEach((each, at) => {
      made[each.i] = oneArrow(layout, each.from, to, turned(inward, angles[at]), label, headSize(each.i));
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
  if (state) parts.push(state.alive ? t4("isAlive") : t4("died", { day: state.diedDay, cause: t4(`cause_${state.cause || "attacked"}`) }));
  if (state?.role) parts.push(roleWord(state.role));
  if (state?.claim) parts.push(t4("claimsRole", { role: roleWord(state.claim) }));
  if (count) parts.push(t4("votes", { n: count.voters.length }));
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
  if (table2.silent === seat) classes.push("silent");
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
        count ? /* @__PURE__ */ a4("span", { class: count.top ? "at-fate votes top" : "at-fate votes", children: count.voters.length }) : !state.alive ? /* @__PURE__ */ a4("span", { class: "at-fate", children: /* @__PURE__ */ a4(DeathSign, { state }) }) : null,
        table2.silent === seat && /* @__PURE__ */ a4("span", { class: "at-silent", "aria-hidden": "true", children: "…" }),
        table2.faulty === seat && /* @__PURE__ */ a4("span", { class: "at-fault", "aria-hidden": "true", children: "!" }),
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
    /* @__PURE__ */ a4("p", { class: "note", children: state.alive ? t4("isAlive") : t4("died", { day: state.diedDay, cause: t4(`cause_${state.cause || "attacked"}`) }) }),
    /* @__PURE__ */ a4("dl", { children: [
      state.role && /* @__PURE__ */ a4($, { children: [
        /* @__PURE__ */ a4("dt", { children: t4("figRole") }),
        /* @__PURE__ */ a4("dd", { children: /* @__PURE__ */ a4(RoleWord, { role: state.role }) })
      ] }),
      state.claim && /* @__PURE__ */ a4($, { children: [
        /* @__PURE__ */ a4("dt", { children: t4("figClaim") }),
        /* @__PURE__ */ a4("dd", { children: /* @__PURE__ */ a4(RoleWord, { role: state.claim }) })
      ] }),
      info?.agent && /* @__PURE__ */ a4($, { children: [
        /* @__PURE__ */ a4("dt", { children: t4("figAgent") }),
        /* @__PURE__ */ a4("dd", { children: /* @__PURE__ */ a4("bdi", { children: shown(info.agent) }) })
      ] }),
      /* @__PURE__ */ a4("dt", { children: t4("figTalks") }),
      /* @__PURE__ */ a4("dd", { children: num(talks) })
    ] }),
    /* @__PURE__ */ a4("p", { class: "note", children: game.view.value === seat ? t4("seesPublic") : t4("seesAs", { who: seatText(course2, seat) }) })
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
function Sky({ width, height, night }) {
  const r4 = Math.max(11, Math.min(22, Math.min(width, height) * 0.03));
  const x4 = width - r4 - Math.max(12, width * 0.035);
  const y5 = r4 + Math.max(12, height * 0.03);
  if (!night) {
    return /* @__PURE__ */ a4("g", { class: "sky", children: [
      /* @__PURE__ */ a4(Glow, { name: "sunglow", x: x4, y: y5, r: r4 * 3 }),
      /* @__PURE__ */ a4("circle", { class: "sun", cx: x4, cy: y5, r: r4 })
    ] });
  }
  return /* @__PURE__ */ a4("g", { class: "sky", children: [
    stars.map((star, i4) => /* @__PURE__ */ a4("circle", { class: "star", cx: (star.x * width).toFixed(1), cy: (star.y * height).toFixed(1), r: star.r }, i4)),
    /* @__PURE__ */ a4(Glow, { name: "moonglow", x: x4, y: y5, r: r4 * 3 }),
    /* @__PURE__ */ a4("path", { class: "moon", d: `M${x4 + r4 * 0.35} ${y5 - r4}A${r4} ${r4} 0 1 0 ${x4 + r4} ${y5 + r4 * 0.45}A${r4 * 0.86} ${r4 * 0.86} 0 0 1 ${x4 + r4 * 0.35} ${y5 - r4}Z` })
  ] });
}

// src/game/Stage.tsx
function Arrows({ layout, table: table2, counts, names }) {
  const arrows = table2.arrows;
  const topOf = (i4) => {
    const arrow = arrows[i4];
    return arrow !== void 0 && isArrowVote(arrow.kind) && (counts.get(arrow.to)?.top ?? false);
  };
  const paths2 = arrowPaths(layout, arrows, layout.named ? names : [], (i4) => topOf(i4) ? 13 : 10);
  return /* @__PURE__ */ a4("g", { class: "arrows", children: arrows.map((arrow, i4) => /* @__PURE__ */ a4("g", { class: `arrow ${arrow.kind}${topOf(i4) ? " top" : ""}`, children: [
    /* @__PURE__ */ a4("path", { class: "shaft", d: paths2[i4]?.line ?? "" }),
    /* @__PURE__ */ a4("path", { class: "tip", d: paths2[i4]?.head ?? "" })
  ] }, `${arrow.kind}/${arrow.from}/${arrow.to}/${arrow.n}`)) });
}
function Centre({ table: table2, layout }) {
  const over = table2.winner !== null;
  return /* @__PURE__ */ a4("div", { class: "centre", style: { left: `${layout.centre.x}px`, top: `${layout.centre.y}px`, maxWidth: `${layout.inner.width}px` }, children: [
    /* @__PURE__ */ a4("p", { class: "bigday", children: over ? t4("gameOver") : t4("day", { day: table2.day }) }),
    /* @__PURE__ */ a4("p", { class: over ? "won" : "alive", children: over ? t4(`won_${table2.winner ?? "NONE"}`) : table2.night ? t4("nightAlive", { n: table2.alive }) : t4("alive", { n: table2.alive }) })
  ] });
}
function Stage({ game, onView }) {
  const { ref, size } = useSize();
  const course2 = game.course.value;
  const table2 = game.table.value;
  const { width, height } = size.value;
  const seats = course2.doc.seats.map((seat) => seat.seat);
  const named = course2.doc.seats.some((seat) => !isNumberName(seat.name));
  const layout = w2(() => stageLayout(Math.max(width, 200), Math.max(height, 160), seats, named), [width, height, seats.length, named]);
  const counts = new Map(tally(table2.arrows.filter((arrow) => isArrowVote(arrow.kind))).map((count) => [count.target, count]));
  void lang.value;
  const sentence = useComputed(() => {
    void sentences.value;
    void lang.value;
    const telling = game.course.value;
    return tableSentence(telling, telling.tableAt(game.resting.value));
  });
  const bubble = table2.talk !== null && width >= 520 && height >= 420;
  return /* @__PURE__ */ a4("section", { class: `stage${table2.night ? " night" : ""}${layout.tiny ? " tiny" : ""}`, ref, "aria-label": t4("table"), id: "table", tabIndex: -1, children: [
    width > 0 && /* @__PURE__ */ a4($, { children: [
      /* @__PURE__ */ a4("svg", { class: "ground", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": sentence.value, children: [
        /* @__PURE__ */ a4(Sky, { width, height, night: table2.night }),
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
    width === 0 && /* @__PURE__ */ a4("span", { class: "unseen", children: seatText(course2, 0) })
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
  for (const [key, verdict] of claims.verdicts) {
    const judge = key >> 8;
    judging.set(judge, Math.min(judging.get(judge) ?? verdict.n, verdict.n));
  }
  for (const [seat, claim] of claims.claimed)
    if (claim.role !== "VILLAGER") judging.set(seat, Math.min(judging.get(seat) ?? claim.n, claim.n));
  claims.judges = [...judging].map(([seat, n3]) => ({ seat, role: claims.claimed.get(seat)?.role ?? null, n: n3 })).sort((a5, b3) => a5.n - b3.n || a5.seat - b3.seat);
  const said = /* @__PURE__ */ new Map();
  for (const [key, verdict] of claims.verdicts) {
    if (verdict.kind === "GUARDED") continue;
    const target = key & 255;
    if (said.has(target) && said.get(target) !== verdict.wolf) claims.disputed.add(target);
    said.set(target, verdict.wolf);
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
  const at = game.course.value.event(n3)?.a;
  return momentText({ view: game.view.value, ...at === void 0 ? {} : { at }, tab }) || "#";
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
  if (columns.length === 0) return /* @__PURE__ */ a4("p", { class: "nothing", children: t4("noBallots") });
  const lines2 = columns.map((column, i4) => {
    const attack = column.kind === "attack_vote";
    const places = { day: column.day, n: column.round + 1 };
    const text = column.round === 0 ? t4(attack ? "attackColumn" : "voteColumn", places) : t4(attack ? "attackColumnAgain" : "voteColumnAgain", places);
    return { key: i4, head: text, kind: attack ? "attack" : "ballot" };
  });
  const most = columns.map((column) => {
    const counts = /* @__PURE__ */ new Map();
    for (const event of column.votes.values()) counts.set(event.target ?? 0, (counts.get(event.target ?? 0) ?? 0) + 1);
    const top = Math.max(...counts.values());
    return new Set([...counts].filter(([, count]) => count === top).map(([seat]) => seat));
  });
  return /* @__PURE__ */ a4(TabBody, { label: t4("voteTable"), children: /* @__PURE__ */ a4(
    Matrix,
    {
      game,
      label: t4("voteTable"),
      corner: t4("voter"),
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
    /* @__PURE__ */ a4("h3", { children: [
      t4("estimateTitle"),
      " ",
      /* @__PURE__ */ a4("span", { class: "pill", children: shown(belief.method) })
    ] }),
    /* @__PURE__ */ a4("p", { class: "note", children: t4("estimateNote", { text: shown(belief.text) }) }),
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
        claims.disputed.has(seat) && /* @__PURE__ */ a4("b", { class: "disputed", title: t4("disputed"), children: "≠" })
      ] })
    };
  });
  return /* @__PURE__ */ a4(TabBody, { label: t4("claimTable"), children: [
    none ? /* @__PURE__ */ a4("p", { class: "nothing", children: [
      t4("noClaims"),
      course2.doc.lang !== "aiwolf" && /* @__PURE__ */ a4($, { children: [
        /* @__PURE__ */ a4("br", {}),
        /* @__PURE__ */ a4("span", { class: "note", children: t4("noClaimsFree") })
      ] })
    ] }) : /* @__PURE__ */ a4(
      Matrix,
      {
        game,
        label: t4("claimTable"),
        corner: t4("voter"),
        rows,
        columns,
        cell: (seat, judge) => {
          const verdict = claims.verdicts.get(cellKey(judge, seat));
          if (!verdict) return null;
          const word = verdict.kind === "GUARDED" ? t4("saysGuarded") : verdict.wolf ? t4("saysWolf") : t4("saysHuman");
          const contrary = claims.contrary.has(cellKey(judge, seat)) || claims.disputed.has(seat) && verdict.kind !== "GUARDED";
          const role = claims.claimed.get(judge)?.role;
          return {
            content: /* @__PURE__ */ a4("span", { class: "verdict", children: [
              /* @__PURE__ */ a4("i", { class: verdict.kind === "GUARDED" ? "dot guard" : verdict.wolf ? "dot wolf" : "dot" }),
              word,
              contrary && /* @__PURE__ */ a4("b", { class: "disputed", children: "≠" })
            ] }),
            title: `${seatText(course2, judge)}${role ? ` (${roleWord(role)})` : ""}: ${seatText(course2, seat)} – ${word}${contrary ? ` – ${t4("disputed")}` : ""}`,
            n: verdict.n,
            kind: verdict.kind === "GUARDED" ? "guarded" : verdict.wolf ? "wolf" : "human"
          };
        }
      }
    ),
    !none && (claims.disputed.size > 0 || claims.contrary.size > 0) && /* @__PURE__ */ a4("p", { class: "legend note", children: t4("disputedNote") }),
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
  if (stances.size === 0) return /* @__PURE__ */ a4("p", { class: "nothing", children: t4("noStances") });
  const seats = seatsOf(course2);
  const kinds2 = Object.keys(stanceSigns);
  const used = new Set([...stances.values()].map((stance) => stance.kind));
  return /* @__PURE__ */ a4(TabBody, { label: t4("stanceTable"), children: [
    /* @__PURE__ */ a4(
      Matrix,
      {
        game,
        label: t4("stanceTable"),
        corner: t4("stanceFrom"),
        rows: seatLines(course2, table2),
        columns: seats.map((seat) => ({ key: seat, head: /* @__PURE__ */ a4("span", { title: seatText(course2, seat), children: /* @__PURE__ */ a4(Chip, { seat }) }), kind: "narrow" })),
        cell: (from, about) => {
          if (from === about) return { content: "", title: "", n: -1, kind: "self" };
          const stance = stances.get(cellKey(from, about));
          if (!stance) return null;
          return {
            content: stanceSigns[stance.kind],
            n: stance.n,
            kind: `stance ${stance.kind}`,
            title: `${seatText(course2, from)} ${t4(`st_${stance.kind}`)} ${seatText(course2, about)}`
          };
        }
      }
    ),
    /* @__PURE__ */ a4("ul", { class: "legend", children: kinds2.filter((kind) => used.has(kind)).map((kind) => /* @__PURE__ */ a4("li", { children: [
      /* @__PURE__ */ a4("i", { class: `stance ${kind}`, children: stanceSigns[kind] }),
      " ",
      t4(`st_${kind}`)
    ] }, kind)) })
  ] });
}

// src/game/GamePage.tsx
function showDocs(game, docs) {
  const [first] = docs;
  if (!first) return;
  for (const doc of docs) if (doc.id === first.id) game.put(doc);
  const shownFirst = docs.find((doc) => doc.id === first.id && doc.view.kind === "public") ?? first;
  game.show(shownFirst);
}
async function showOpened(game, docs) {
  showDocs(game, docs);
  if (game.hasAll && game.status.value !== "running") await game.choose("public");
  game.go(0);
  await applyMoment(game, readMoment(location.hash));
}
function StatusLine({ game }) {
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
function GameFrame({ game, home }) {
  const finding = useSignal(false);
  const listing = useSignal(false);
  const view = (choice2) => void chooseView(game, choice2);
  const acts = w2(() => ({
    view: (choice2) => view(choice2 === game.view.value ? "public" : choice2),
    link: () => void copyLink(game).then((done) => toast(t4(done ? "copied" : "notCopied"), !done)),
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
        home,
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
      /* @__PURE__ */ a4("section", { class: "side", "aria-label": t4("panels"), children: [
        finding.value && /* @__PURE__ */ a4(Find, { game, onClose: () => {
          finding.value = false;
        } }),
        /* @__PURE__ */ a4(Panel, { game })
      ] })
    ] }),
    /* @__PURE__ */ a4("footer", { class: "foot", children: [
      /* @__PURE__ */ a4(Controls, { game, onLink: acts.link, onKeys: acts.list }),
      /* @__PURE__ */ a4(Scrubber, { game })
    ] }),
    /* @__PURE__ */ a4(StatusLine, { game }),
    listing.value && /* @__PURE__ */ a4(KeyList, { onClose: () => {
      listing.value = false;
    } })
  ] });
}
var Waiting = ({ text, onAgain }) => /* @__PURE__ */ a4("div", { class: "screen", children: [
  /* @__PURE__ */ a4(TopBar, { home: !exported.value }),
  /* @__PURE__ */ a4("main", { class: "page empty", children: onAgain ? /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("h1", { children: t4("cannotShow") }),
    /* @__PURE__ */ a4("p", { children: text }),
    /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: onAgain, children: t4("again") })
  ] }) : /* @__PURE__ */ a4("p", { class: "soft", children: text }) })
] });
function GamePage({ id }) {
  const game = w2(() => new GameStore(), [id]);
  const state = useSignal("waiting");
  const trouble = useSignal("");
  const begun = T2(0);
  const load = () => {
    const run = ++begun.current;
    state.value = "waiting";
    const docs = shownDocs.value;
    (docs.length > 0 ? showOpened(game, docs) : loadGame(game, id)).then(
      () => {
        if (run === begun.current) state.value = "shown";
      },
      (error) => {
        if (run !== begun.current) return;
        trouble.value = error instanceof Error ? error.message : String(error);
        state.value = "failed";
      }
    );
  };
  A2(load, [game, shownDocs.value]);
  if (state.value === "failed") return /* @__PURE__ */ a4(Waiting, { text: trouble.value, onAgain: load });
  if (state.value === "waiting") return /* @__PURE__ */ a4(Waiting, { text: t4("loading") });
  if (game.course.value.length === 0 && game.status.value !== "running") return /* @__PURE__ */ a4(Waiting, { text: t4("emptyGame") });
  return /* @__PURE__ */ a4(GameFrame, { game, home: !exported.value });
}

// src/app.tsx
function App() {
  const { page: Page, id } = pageAt(location.pathname);
  return /* @__PURE__ */ a4($, { children: [
    shownDocs.value.length > 0 ? /* @__PURE__ */ a4(GamePage, { id: "" }) : /* @__PURE__ */ a4(Page, { id }),
    /* @__PURE__ */ a4(Toasts, {})
  ] });
}

// src/main.tsx
applySettings();
takeDocumentsInside();
var place = document.getElementById("app") ?? document.body.appendChild(document.createElement("div"));
place.id = "app";
Q(/* @__PURE__ */ a4(App, {}), place);
