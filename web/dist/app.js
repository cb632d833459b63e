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
  var s4, h5, v4, w5, d4, _3, g5 = u4.__k || y, k4 = t5.length;
  for (l4 = q(r4, t5, g5, l4, k4), s4 = 0; s4 < k4; s4++) null != (v4 = r4.__k[s4]) && (h5 = ~v4.__i && g5[v4.__i] || p, v4.__i = s4, _3 = z(n3, v4, h5, i4, f5, o5, e4, l4, c4, a5), w5 = v4.__e, (h5.ref != v4.ref || 8 & h5.__u) && (h5.ref && G(h5.ref, null, v4, h5), v4.ref && a5.push(v4.ref, v4.__c || w5, v4)), d4 = d4 || w5, 4 & v4.__u ? (l4 = A(v4, l4, n3, !h5.__v), h5.__e && (h5.__e = null)) : "function" == typeof v4.type && void 0 !== _3 ? l4 = _3 : w5 && (l4 = w5.nextSibling), v4.__u &= -21);
  return r4.__e = d4, l4;
}
function q(n3, t5, r4, u4, i4) {
  var f5, o5, e4, l4, c4, a5, s4, p5, y5, v4 = r4.length, d4 = v4, _3 = 0, g5 = 0, k4 = n3.__k = Array(i4);
  for (f5 = 0; f5 < i4; f5++) null != (o5 = t5[f5]) && "boolean" != typeof o5 && "function" != typeof o5 ? ("object" != typeof o5 || o5.constructor === String ? o5 = k4[f5] = m(null, o5) : w(o5) ? o5 = k4[f5] = m($, { children: o5 }) : o5.constructor === h && o5.__b ? o5 = k4[f5] = m(o5.type, o5.props, o5.key, o5.ref, o5.__v) : k4[f5] = o5, l4 = f5 + _3, o5.__ = n3, o5.__b = n3.__b + 1, e4 = null, ~(c4 = o5.__i = P(o5, r4, l4, d4)) && (d4--, (e4 = r4[c4]) && (e4.__u |= 2)), e4 && e4.__v ? (o5.__u |= 16, c4 == l4 - 1 ? _3-- : c4 == l4 + 1 ? _3++ : c4 != l4 && (c4 > l4 ? _3-- : _3++, g5 = 1)) : (~c4 || (i4 > v4 ? _3-- : i4 < v4 && _3++), "function" != typeof o5.type && (o5.__u |= 4))) : k4[f5] = null;
  if (g5) {
    for (a5 = [], s4 = [], f5 = 0; f5 < i4; f5++) if ((o5 = k4[f5]) && 16 & o5.__u) {
      for (_3 = 0, p5 = a5.length; _3 < p5; ) a5[y5 = _3 + p5 >> 1] < o5.__i ? _3 = y5 + 1 : p5 = y5;
      a5[_3] = o5.__i, s4[f5] = _3 + 1;
    }
    for (_3 = a5.length; f5--; ) s4[f5] && (s4[f5] == _3 ? _3-- : k4[f5].__u |= 4);
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
  var s4, p5, v4, d4, k4, b3, m5, M2, C3, j3, L2, H2, q2, A4, O2, P2, T4, N2, V2 = r4.type;
  if (r4.constructor !== h) return null;
  128 & u4.__u && (c4 = 32 & u4.__u, s4 = u4.__c.__z) && (r4.__u |= c4, p5 = o5 = [], 8 == s4.nodeType ? l4 = B(s4, o5) : o5.push(s4), l4 = o5[0] || l4), (s4 = n.__b) && s4(r4);
  n: if ("function" == typeof V2) {
    v4 = e4.length;
    try {
      if (M2 = r4.props, C3 = (s4 = V2.prototype) && s4.render, j3 = (s4 = V2.contextType) && i4[s4.__c], L2 = s4 ? j3 ? j3.props.value : s4.__ : i4, (d4 = u4.__c) ? (r4.__c = d4, 2 & d4.__g && (d4.__g |= 1)) : (C3 ? r4.__c = d4 = new V2(M2, L2) : (r4.__c = d4 = new x(M2, L2), d4.constructor = V2, d4.render = K), j3 && j3.sub(d4), d4.state || (d4.state = {}), d4.__n = i4, d4.__g |= 8, d4.__h = [], d4.__k = []), C3 && (d4.__s || (d4.__s = d4.state), V2.getDerivedStateFromProps && (d4.__s == d4.state && (d4.__s = _({}, d4.__s)), _(d4.__s, V2.getDerivedStateFromProps(M2, d4.__s)))), k4 = d4.props, b3 = d4.state, d4.__v = r4, u4.__c) {
        if (M2 !== k4 && C3 && !V2.getDerivedStateFromProps && d4.componentWillReceiveProps && d4.componentWillReceiveProps(M2, L2), r4.__v == u4.__v && !(8 & d4.__g) || !(4 & d4.__g) && d4.shouldComponentUpdate && false === d4.shouldComponentUpdate(M2, d4.__s, L2)) {
          r4.__v != u4.__v && (d4.props = M2, d4.state = d4.__s, d4.__g &= -9), r4.__e = u4.__e, r4.__k = u4.__k, r4.__k.some(function(n3) {
            n3 && (n3.__ = r4);
          }), y.push.apply(d4.__h, d4.__k), d4.__k = [], d4.__h.length && e4.push(d4), l4 = S(u4);
          break n;
        }
        d4.componentWillUpdate && d4.componentWillUpdate(M2, d4.__s, L2), C3 && d4.componentDidUpdate && d4.__h.push(function() {
          d4.componentDidUpdate(k4, b3, m5);
        });
      } else C3 && !V2.getDerivedStateFromProps && d4.componentWillMount && d4.componentWillMount(), C3 && d4.componentDidMount && d4.__h.push(d4.componentDidMount);
      d4.context = L2, d4.props = M2, d4.__P = t5, d4.__g &= -5, H2 = n.__r, q2 = C3 ? 25 : 0;
      do {
        d4.__g &= -9, H2 && H2(r4), s4 = d4.render(d4.props, d4.state = d4.__s, d4.context);
      } while (8 & d4.__g && ++q2 < 25);
      C3 && (y.push.apply(d4.__h, d4.__k), d4.__k = []), d4.state = d4.__s, d4.getChildContext && (i4 = _({}, i4, d4.getChildContext())), C3 && u4.__c && d4.getSnapshotBeforeUpdate && (m5 = d4.getSnapshotBeforeUpdate(k4, b3)), A4 = s4 && s4.type === $ && null == s4.key ? s4.props.children : s4, M2.__P && (s4 = l4, f5 = (t5 = M2.__P).namespaceURI, c4 = o5 = null, u4.props && u4.props.__P != t5 && (u4.__k.some(function(n3) {
        n3 && J(n3, n3);
      }), u4.__k = null), l4 = u4.__k ? S(u4, 0) : null), l4 = I(t5, w(A4) ? A4 : [A4], r4, u4, i4, f5, o5, e4, l4, c4, a5), M2.__P && (r4.__e = null, l4 = s4), r4.__u &= -161, p5 && p5.some(g), d4.__h.length && e4.push(d4), 1 & d4.__g && (d4.__g &= -4);
    } catch (t6) {
      if (e4.length = v4, r4.__v = null, c4 || o5) if (t6 && t6.then) {
        if (r4.__u |= 128 | c4, o5) {
          for (~(T4 = o5.indexOf(l4 || void 0)) || (T4 = o5.length); (N2 = o5[T4 - 1]) && 8 == N2.nodeType; ) T4--;
          for (; T4 < o5.length; T4++) if (N2 = o5[T4]) if (o5[T4] = null, O2) {
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
  var s4, h5, y5, _3, k4, b3, m5, M2, $2 = u4.props || p, x3 = r4.props, C3 = r4.type;
  if ("svg" == C3 ? f5 = "http://www.w3.org/2000/svg" : "math" == C3 ? f5 = "http://www.w3.org/1998/Math/MathML" : f5 || (f5 = "http://www.w3.org/1999/xhtml"), o5) {
    for (s4 = 0; s4 < o5.length; s4++) if ((k4 = o5[s4]) && (C3 ? k4.localName == C3 : 3 == k4.nodeType)) {
      t5 = k4, o5[s4] = null;
      break;
    }
  }
  if (!t5) {
    if (M2 = a5.ownerDocument || document, !C3) return M2.createTextNode(x3);
    t5 = M2.createElementNS(f5, C3, x3.is ? x3 : a5), l4 && (n.__m && n.__m(r4, o5), l4 = false), o5 = null;
  }
  if (C3) {
    if (a5 = "template" == C3 && t5.content || t5, o5 = "textarea" == C3 && null != x3.defaultValue ? null : o5 && d.call(a5.childNodes), !l4 && o5) for ($2 = {}, s4 = 0; s4 < t5.attributes.length; s4++) $2[(k4 = t5.attributes[s4]).name] = k4.value;
    for (s4 in $2) k4 = $2[s4], "children" == s4 || s4 in x3 || "value" == s4 && "defaultValue" in x3 || "checked" == s4 && "defaultChecked" in x3 || N(t5, s4, null, k4, f5);
    for (s4 in x3) k4 = x3[s4], "children" == s4 ? _3 = k4 : "value" == s4 ? b3 = k4 : "checked" == s4 ? m5 = k4 : l4 && "function" != typeof k4 || $2[s4] === k4 || N(t5, s4, k4, $2[s4], f5);
    y5 && (t5.textContent = ""), ("foreignObject" == C3 || "http://www.w3.org/1998/Math/MathML" == f5 && v.test(C3)) && (f5 = "http://www.w3.org/1999/xhtml"), I(a5, w(_3) ? _3 : [_3], r4, u4, i4, f5, o5, e4, o5 ? o5[0] : u4.__k && S(u4, 0), l4, c4), o5 && o5.some(g), l4 && "textarea" != C3 || (s4 = "value", "progress" == C3 && null == b3 ? t5.removeAttribute(s4) : null == b3 || b3 === t5[s4] && ("progress" != C3 || b3) || N(t5, s4, b3, $2[s4], f5), s4 = "checked", null != m5 && m5 != t5[s4] && N(t5, s4, m5, $2[s4], f5));
  } else $2 === x3 || l4 && t5.data == x3 || (t5.data = x3);
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
      this.N = M;
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
    this.N = M;
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
var A3 = function(i4) {
  queueMicrotask(function() {
    queueMicrotask(i4);
  });
};
function F2() {
  r3(function() {
    var i4;
    while (i4 = g4.shift()) h4.call(i4);
  });
}
function M() {
  if (1 === g4.push(this)) (n.requestAnimationFrame || A3)(F2);
}

// src/opened.ts
var shownDocs = y3([]);

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

// src/pages/Home.tsx
var Home = (_3) => /* @__PURE__ */ a4("main", { class: "page", children: "Home" });

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
  role_VILLAGER: ["Villager", "村人"],
  role_SEER: ["Seer", "占い師"],
  role_MEDIUM: ["Medium", "霊媒師"],
  role_BODYGUARD: ["Bodyguard", "騎士"],
  role_POSSESSED: ["Possessed", "狂人"],
  role_WEREWOLF: ["Werewolf", "人狼"],
  role_FREEMASON: ["Freemason", "共有者"],
  role_FOX: ["Fox", "妖狐"],
  claimsRole: ["claims {role}", "{role}CO"]
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

// src/pages/Missing.tsx
var Missing = (_3) => /* @__PURE__ */ a4("div", { class: "screen", children: [
  /* @__PURE__ */ a4(TopBar, {}),
  /* @__PURE__ */ a4("main", { class: "page empty", children: [
    /* @__PURE__ */ a4("h1", { children: t4("missingTitle") }),
    /* @__PURE__ */ a4("p", { children: t4("missingText") }),
    /* @__PURE__ */ a4("p", { children: /* @__PURE__ */ a4("a", { class: "button", href: base, children: t4("toHome") }) })
  ] })
] });

// src/pages/Open.tsx
var Open = (_3) => /* @__PURE__ */ a4("main", { class: "page", children: "Open" });

// src/pages/Operator.tsx
var Operator = (_3) => /* @__PURE__ */ a4("main", { class: "page", children: "Operator" });

// src/pages/RoomPage.tsx
var RoomPage = (_3) => /* @__PURE__ */ a4("main", { class: "page", children: "RoomPage" });

// src/pages/Search.tsx
var Search = (_3) => /* @__PURE__ */ a4("main", { class: "page", children: "Search" });

// src/pages/SeatPage.tsx
var SeatPage = (_3) => /* @__PURE__ */ a4("main", { class: "page", children: "SeatPage" });

// src/pages/SessionPage.tsx
var SessionPage = (_3) => /* @__PURE__ */ a4("main", { class: "page", children: "SessionPage" });

// src/pages/Mind.tsx
var Mind = (_3) => /* @__PURE__ */ a4("main", { class: "page", children: "Mind" });

// src/pages/Wall.tsx
var Wall = (_3) => /* @__PURE__ */ a4("main", { class: "page", children: "Wall" });

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

// src/game/GamePage.tsx
var GamePage = ({ id }) => /* @__PURE__ */ a4("div", { class: "screen", children: [
  /* @__PURE__ */ a4(TopBar, { children: [
    /* @__PURE__ */ a4("h1", { class: "title", children: id }),
    /* @__PURE__ */ a4("span", { class: "space" })
  ] }),
  /* @__PURE__ */ a4("main", { class: "page" })
] });

// src/parts/Toast.tsx
var lines = y3([]);
var Toasts = () => /* @__PURE__ */ a4("div", { class: "toasts", role: "status", children: lines.value.map((line) => /* @__PURE__ */ a4("div", { class: line.bad ? "toast bad" : "toast", children: line.text }, line.id)) });

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
var place = document.getElementById("app") ?? document.body.appendChild(document.createElement("div"));
place.id = "app";
Q(/* @__PURE__ */ a4(App, {}), place);
