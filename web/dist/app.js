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
function A2(n3, u4) {
  var i4 = y2(t2++, 3);
  !a2.__s && E2(i4.__H, u4) && (i4.__P = true, i4.__ = n3, i4.u = u4, r2.__H.__h.push(i4));
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
  constructor(world2) {
    this.world = world2;
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
    const spread = 1 + (this.world.random() * 2 - 1) * SPREAD;
    this.tries++;
    this.set("waiting");
    this.retry = this.world.later((this.slow ? Math.max(wait, RATE_WAIT) : wait) * spread, () => this.connect());
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

// src/live.ts
var world = {
  connect(events) {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/web/api/feed`);
    socket.onopen = () => events.open();
    socket.onmessage = (message) => events.message(String(message.data));
    socket.onclose = () => events.closed();
    return {
      send: (text) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(text);
      },
      close: () => socket.close()
    };
  },
  now: () => performance.now(),
  later: (ms, then) => setTimeout(then, ms),
  cancel: (timer) => clearTimeout(timer),
  random: () => Math.random()
};
var feed = new Feed(world);
var feedLost = y3(false);
var feedOpen = y3(false);
feed.onState(() => r3(() => {
  feedLost.value = feed.lost;
  feedOpen.value = feed.state === "open";
}));
feed.login(operatorSecret() || void 0);
document.addEventListener("visibilitychange", () => feed.seen(document.visibilityState === "visible"));
addEventListener("online", () => feed.online());
var LiveGame = class {
  constructor(id, view) {
    this.id = id;
    this.view = view;
    this.deaf = feed.onMessage((message) => this.hear(message));
    void this.load();
  }
  id;
  view;
  doc = y3(null);
  clock = y3(null);
  /** Who is asked to speak; 0: nobody. */
  typing = y3(0);
  trouble = y3(null);
  /** Over: all views may be fetched. */
  over = y3(false);
  loading = false;
  again = false;
  stopped = false;
  deaf;
  stop() {
    this.stopped = true;
    this.deaf();
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
      if (this.stopped) return;
      const doc = readDoc(body);
      r3(() => {
        this.doc.value = doc;
        this.trouble.value = null;
        this.over.value = doc.status !== "running";
      });
      const after = headers2.get("X-Warg-Feed");
      if (doc.status === "running" && after) feed.watch(this.id, this.view, after);
    } catch (error) {
      if (!this.stopped) this.failed(error);
    } finally {
      this.loading = false;
      if (this.again && !this.stopped) {
        this.again = false;
        void this.load();
      }
    }
  }
  failed(error) {
    const trouble = error instanceof ApiError ? error : new ApiError(0, "document", error instanceof Error ? error.message : String(error));
    this.trouble.value = trouble;
    if (trouble.status === 0 || trouble.status >= 500) setTimeout(() => {
      if (!this.stopped) void this.load();
    }, 3e3);
  }
  hear(message) {
    if (message.game !== this.id) return;
    switch (message.type) {
      case "events":
        return this.hearEvents(message);
      case "clock":
        this.clock.value = clockOf(message, performance.now()) ?? null;
        return;
      case "typing":
        this.typing.value = Number(message.seat) || 0;
        return;
      case "again":
        void this.load();
        return;
      case "reveal":
        r3(() => {
          this.over.value = true;
          this.clock.value = null;
          this.typing.value = 0;
        });
        return;
      case "gone":
        this.trouble.value = new ApiError(410, "gone", typeof message.why === "string" ? message.why : "");
        return;
      default:
    }
  }
  hearEvents(message) {
    const doc = this.doc.peek();
    if (!doc) return;
    const growth = grow(doc, message);
    if (growth === "again") {
      feed.unwatch(this.id);
      void this.load();
      return;
    }
    if (!growth.grew) return;
    r3(() => {
      this.doc.value = growth.doc;
      this.typing.value = 0;
      if (growth.doc.status !== "running") this.clock.value = null;
    });
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
function shortTime(ms) {
  const when = new Date(ms);
  const now = /* @__PURE__ */ new Date();
  if (when.toDateString() === now.toDateString()) return format("time", clock).format(when);
  if (when.getFullYear() === now.getFullYear()) return format("day", { day: "numeric", month: "short", ...clock }).format(when);
  return format("year", { day: "numeric", month: "short", year: "numeric" }).format(when);
}
var fullTime = (ms) => format("full", { dateStyle: "full", timeStyle: "long" }).format(new Date(ms));
function clockText(ms) {
  const all = Math.max(0, Math.ceil(ms / 1e3));
  const [h5, m5, s4] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (n3) => String(n3).padStart(2, "0");
  return h5 > 0 ? `${h5}:${two(m5)}:${two(s4)}` : `${m5}:${two(s4)}`;
}
function spanText(ms) {
  const [value, unit] = ms < 9e4 ? [ms / 1e3, "second"] : ms < 54e5 ? [ms / 6e4, "minute"] : ms < 1296e5 ? [ms / 36e5, "hour"] : [ms / 864e5, "day"];
  return new Intl.NumberFormat(lang.value === "ja" ? "ja-JP" : "en", { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 0 }).format(value);
}

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
var pageWords = {
  // every page
  siteName: ["Werewolf", "人狼"],
  loading: ["Loading…", "読み込み中…"],
  tryAgain: ["Try again", "もう一度"],
  connectionLost: ["The connection is lost. Trying to come back…", "接続が切れました。再接続しています…"],
  troubleTitle: ["This did not work", "うまくいきませんでした"],
  trouble403: ["This is not open to you while the game runs.", "ゲームが終わるまで公開されません。"],
  trouble404: ["There is no such thing on this server (any more).", "このサーバーには（もう）ありません。"],
  navOpen: ["Open a file", "ファイルを開く"],
  navSearch: ["Search", "検索"],
  navOperator: ["Operator", "運営"],
  nav: ["Pages", "ページ"],
  dropHere: ["Drop it: logs, game documents, exports", "ここにドロップ：ログ・ゲーム文書・書き出したファイル"],
  more: ["More", "その他"],
  // home
  homeLive: ["Live", "進行中"],
  homeRooms: ["Rooms", "部屋"],
  homeContests: ["Contests", "大会"],
  homeGames: ["Latest games", "最近のゲーム"],
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
  divisionmaw: ["House game", "館のゲーム"],
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
    "AIWolf logs from 2016 to now, logs and JSON of the natural-language division, the old viewer’s .jsonl, session.jsonl of the house; each also gzipped. Game documents and exported pages are read without a server.",
    "2016年以降のAIWolfログ、自然言語部門のログとJSON、旧ビューアの.jsonl、館のsession.jsonl（gzipも可）。ゲーム文書と書き出したページはサーバーなしで読めます。"
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
  roomState_OPEN: ["open", "募集中"],
  roomState_READY: ["begins soon", "まもなく開始"],
  roomState_PLAYING: ["playing", "対局中"],
  roomState_OVER: ["over", "終了"],
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
  roomFill: ["{n} by {kind}", "{n}席は{kind}"],
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
  operatorLockedText: ["Open the operator’s link that the server printed when it started; it keeps its key in this tab.", "サーバー起動時に表示された運営者用リンクを開いてください。鍵はこのタブにだけ残ります。"],
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
  mindRaw: ["Reply as it came", "元の応答"],
  mindPrompt: ["Prompt {n}", "プロンプト {n}"],
  mindWhy: ["Why", "理由"],
  mindNothing: ["No decision yet.", "まだ判断はありません。"],
  mindAll: ["all seats", "全席"],
  mindToMoment: ["its moment", "その場面"],
  source_model: ["model", "モデル"],
  source_repaired: ["repaired", "修復"],
  source_rule: ["rule", "規則"],
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
  writeAhead: ["Write ahead; it is sent on your turn", "先に書いておけます"],
  send: ["Send", "送信"],
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
  roleHold: ["Hold to see your role", "押している間、役職を表示"],
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
  sayIAm: ["I am the {word}", "私は{word}"],
  sayIs: ["{n} is a {word}", "{n}は{word}だと思う"],
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

// src/parts/Face.tsx
function faceShape(name, seat) {
  let hash = 2166136261;
  for (const unit of `${name}/${seat}`) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 16777619) >>> 0;
  hash ^= hash >>> 15;
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
var symbolOf = (shape) => /* @__PURE__ */ a4("symbol", { id: faceId(shape), viewBox: "0 0 64 64", children: [
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

// src/parts/around.ts
var power = 2 / 2.6;
function at(angle, rx, ry) {
  const c4 = Math.cos(angle);
  const s4 = Math.sin(angle);
  return [rx * Math.sign(c4) * Math.abs(c4) ** power, ry * Math.sign(s4) * Math.abs(s4) ** power];
}
function around(count, rx, ry) {
  const steps = 720;
  const curve = [];
  const length = [0];
  for (let i5 = 0; i5 <= steps; i5++) {
    const point = at(-Math.PI / 2 + i5 / steps * 2 * Math.PI, rx, ry);
    const before = curve[i5 - 1];
    curve.push(point);
    if (before) length.push(length[i5 - 1] + Math.hypot(point[0] - before[0], point[1] - before[1]));
  }
  const whole = length[steps];
  const places = [];
  let i4 = 0;
  for (let seat = 0; seat < count; seat++) {
    while (i4 < steps && length[i4] < whole * seat / count) i4++;
    places.push(curve[i4]);
  }
  return places;
}

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

// src/parts/MiniTable.tsx
var momentText = (day, night) => t4(night ? "nightN" : "dayN", { n: day });
function MiniTable({ name, seats, day, night, speaking = 0, line, over: over2, names }) {
  const alive = seats.filter((seat) => !seat.dead).length;
  const places = around(seats.length, 43, names ? 37 : 39);
  const size = seats.length > 12 ? "many" : seats.length > 8 ? "some" : "few";
  return /* @__PURE__ */ a4(
    "div",
    {
      class: `mini ${size}${night ? " night" : ""}${names ? " named" : ""}`,
      style: hues(seats.length),
      role: "img",
      "aria-label": t4("tableImage", { name: shown(name), moment: over2 ?? momentText(day, night), alive, n: seats.length }),
      children: [
        /* @__PURE__ */ a4(FaceDefs, { seats }),
        /* @__PURE__ */ a4("div", { class: "mini-wood" }),
        /* @__PURE__ */ a4("div", { class: "mini-body", "aria-hidden": "true", children: [
          /* @__PURE__ */ a4("span", { class: "mini-orb" }),
          seats.map((seat, i4) => {
            const [x3, y5] = places[i4];
            return /* @__PURE__ */ a4("div", { class: `mini-seat${seat.dead ? " gone" : ""}${speaking === seat.seat ? " speaks" : ""}`, style: { left: `${50 + x3}%`, top: `${50 + y5}%` }, children: [
              /* @__PURE__ */ a4(Face, { seat: seat.seat, name: seat.name, dead: seat.dead }),
              names && /* @__PURE__ */ a4("span", { class: "mini-name", children: /* @__PURE__ */ a4("bdi", { children: shown(seat.name) }) })
            ] }, seat.seat);
          }),
          /* @__PURE__ */ a4("div", { class: "mini-middle", children: [
            /* @__PURE__ */ a4("strong", { children: over2 ?? momentText(day, night) }),
            line !== void 0 && speaking > 0 ? /* @__PURE__ */ a4("p", { class: "mini-line", children: [
              /* @__PURE__ */ a4(Chip, { seat: speaking }),
              " ",
              /* @__PURE__ */ a4("bdi", { children: shown(line) })
            ] }) : /* @__PURE__ */ a4("span", { class: "mini-alive", children: t4("aliveOf", { alive, n: seats.length }) })
          ] })
        ] })
      ]
    }
  );
}

// src/parts/Lists.tsx
var gamePath = (id) => `${base}g/${encodeURIComponent(id)}`;
var roomPath = (code) => `${base}r/${encodeURIComponent(code)}`;
var known = ["protocol", "nlp", "maw"];
var divisionWord = (division) => known.includes(division) ? t4(`division${division}`) : division;
var When = ({ ms }) => ms === void 0 ? null : /* @__PURE__ */ a4("time", { dateTime: new Date(ms).toISOString(), title: fullTime(ms), children: shortTime(ms) });
function miniSeats(table2) {
  const dead = new Set(table2.dead ?? []);
  return Array.from({ length: table2.players }, (_3, i4) => ({ seat: i4 + 1, name: table2.names[i4] ?? `Agent[${String(i4 + 1).padStart(2, "0")}]`, dead: dead.has(i4 + 1) }));
}
var LiveCard = ({ table: table2 }) => /* @__PURE__ */ a4("li", { class: "card", children: /* @__PURE__ */ a4("a", { href: gamePath(table2.id), children: [
  /* @__PURE__ */ a4(MiniTable, { name: table2.name ?? table2.id, seats: miniSeats(table2), day: table2.day, night: table2.night }),
  /* @__PURE__ */ a4("span", { class: "card-foot", children: [
    /* @__PURE__ */ a4("bdi", { class: "row-name", children: shown(table2.name ?? table2.id) }),
    /* @__PURE__ */ a4("span", { class: "note", children: [
      shown(table2.rules),
      " · ",
      num(table2.players)
    ] })
  ] })
] }) });
var RoomLine = ({ room }) => /* @__PURE__ */ a4("li", { class: "row", children: [
  /* @__PURE__ */ a4("a", { class: "row-main", href: roomPath(room.code), children: [
    /* @__PURE__ */ a4("bdi", { class: "row-name", children: shown(room.name ?? room.code) }),
    /* @__PURE__ */ a4("span", { class: "note", children: [
      divisionWord(room.division),
      " · ",
      t4("playersN", { n: room.players }),
      " · ",
      t4("roomPeople", { taken: room.guests?.length ?? room.taken ?? 0, n: room.people })
    ] })
  ] }),
  /* @__PURE__ */ a4("span", { class: `pill state-${room.state}`, children: t4(`roomState_${room.state}`) })
] });
function ContestLine({ contest }) {
  const { played, planned, eta_ms: eta } = contest;
  return /* @__PURE__ */ a4("li", { class: "row", children: [
    /* @__PURE__ */ a4("a", { class: "row-main", href: `${base}c/${encodeURIComponent(contest.id)}`, children: [
      /* @__PURE__ */ a4("bdi", { class: "row-name", children: shown(contest.name ?? contest.id) }),
      /* @__PURE__ */ a4("span", { class: "note", children: [
        planned ? t4("gamesOf", { n: played, all: planned }) : num(played),
        contest.running && eta !== void 0 && /* @__PURE__ */ a4($, { children: [
          " · ",
          t4("endsIn", { time: spanText(eta) })
        ] })
      ] }),
      planned !== void 0 && planned > 0 && /* @__PURE__ */ a4("progress", { class: "bar", max: planned, value: Math.min(played, planned), "aria-label": t4("gamesOf", { n: played, all: planned }) })
    ] }),
    contest.running && /* @__PURE__ */ a4("span", { class: "pill live", children: t4("statusRunning") })
  ] });
}
var statusWord = (status) => status === "running" ? t4("statusRunning") : status === "aborted" ? t4("statusAborted") : status === "truncated" ? t4("statusTruncated") : null;
function GameLine({ game }) {
  const status = statusWord(game.status);
  return /* @__PURE__ */ a4("li", { class: "row", children: [
    /* @__PURE__ */ a4("a", { class: "row-main", href: game.session && game.session === game.id ? `${base}s/${encodeURIComponent(game.id)}` : gamePath(game.id), children: [
      /* @__PURE__ */ a4("bdi", { class: "row-name", children: shown(game.name ?? game.id) }),
      /* @__PURE__ */ a4("span", { class: "note", children: [
        shown(game.rules),
        " · ",
        t4("playersN", { n: game.players }),
        game.rounds !== void 0 && /* @__PURE__ */ a4($, { children: [
          " · ",
          t4("openRounds", { n: game.rounds })
        ] }),
        game.contest !== void 0 && /* @__PURE__ */ a4($, { children: [
          " · ",
          /* @__PURE__ */ a4("bdi", { children: shown(game.contest) })
        ] })
      ] })
    ] }),
    game.winner && /* @__PURE__ */ a4("span", { class: `pill won-${game.winner}`, children: [
      t4(`winner${game.winner}`),
      game.days !== void 0 && ` · ${t4("dayN", { n: game.days })}`
    ] }),
    status && /* @__PURE__ */ a4("span", { class: game.status === "running" ? "pill live" : "pill", children: status }),
    /* @__PURE__ */ a4("span", { class: "note row-when", children: /* @__PURE__ */ a4(When, { ms: game.began_ms }) })
  ] });
}

// src/parts/Frame.tsx
function useTitle(title) {
  A2(() => {
    document.title = title ? `${shown(title)} · ${t4("siteName")}` : t4("siteName");
  });
}
var links = [
  { path: "search", word: "navSearch" },
  { path: "open", word: "navOpen" },
  { path: "operator", word: "navOperator", operator: true }
];
function SiteNav() {
  const here = location.pathname.slice(base.length);
  return /* @__PURE__ */ a4("nav", { class: "sitenav", "aria-label": t4("nav"), children: links.filter((link) => !link.operator || operatorSecret()).map((link) => /* @__PURE__ */ a4("a", { href: base + link.path, "aria-current": here === link.path ? "page" : void 0, children: t4(link.word) }, link.path)) });
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
var Loading = () => /* @__PURE__ */ a4("div", { class: "loading", role: "status", children: [
  /* @__PURE__ */ a4("span", { class: "spinner", "aria-hidden": "true" }),
  t4("loading")
] });
var Empty = ({ title, children }) => /* @__PURE__ */ a4("div", { class: "nothing", children: [
  /* @__PURE__ */ a4(Mark, {}),
  /* @__PURE__ */ a4("h2", { children: title }),
  children
] });
function sentence(trouble) {
  if (trouble.status === 404) return t4("trouble404");
  if (trouble.status === 403) return t4("trouble403");
  return shown(trouble.message);
}
var Trouble = ({ trouble, again }) => /* @__PURE__ */ a4("div", { class: "nothing", role: "alert", children: [
  /* @__PURE__ */ a4(Mark, {}),
  /* @__PURE__ */ a4("h2", { children: t4("troubleTitle") }),
  /* @__PURE__ */ a4("p", { children: sentence(trouble) }),
  /* @__PURE__ */ a4("p", { class: "acts", children: [
    again && /* @__PURE__ */ a4("button", { type: "button", class: "button strong", onClick: again, children: t4("tryAgain") }),
    /* @__PURE__ */ a4("a", { class: "button", href: base, children: t4("toHome") })
  ] })
] });

// src/opening.ts
var FILE_MAX = 16 * 1024 * 1024;
var openedFiles = y3([]);
var lastId = 0;
function change(id, made) {
  openedFiles.value = openedFiles.value.map((file) => file.id === id ? { ...file, ...made } : file);
}
function removeFile(id) {
  openedFiles.value = openedFiles.value.filter((file) => file.id !== id);
}
function documentsIn(page) {
  const found = [];
  const element = /<script[^>]*type="application\/json"[^>]*>([^<]*)<\/script>/g;
  for (const [, text] of page.matchAll(element)) {
    try {
      const value = JSON.parse(text ?? "");
      if (docTrouble(value) === null) found.push(readDoc(value));
    } catch {
    }
  }
  return found;
}
function readHere(text) {
  const start = text.slice(0, 2e3).trimStart();
  if (start.startsWith("<")) {
    const found = documentsIn(text);
    return found.length > 0 ? found : null;
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
var isGzip = (bytes) => bytes[0] === 31 && bytes[1] === 139;
async function unpacked(blob) {
  return new Response(blob.stream().pipeThrough(new DecompressionStream("gzip"))).text();
}
async function read(name, blob) {
  if (blob.size === 0) throw new Error(t4("openEmpty", { name }));
  if (blob.size > FILE_MAX) throw new Error(t4("openTooBig", { name }));
  const head = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  const here = readHere(isGzip(head) ? await unpacked(blob) : await blob.text());
  if (here) return here;
  const answer = await postBytes(`open?name=${encodeURIComponent(name)}`, blob);
  const docs = Array.isArray(answer) ? answer : answer.documents ?? [answer];
  return docs.map(readDoc);
}
async function openFiles(files) {
  const rows = files.map((file) => ({ id: ++lastId, name: file.name, state: "reading", docs: [] }));
  openedFiles.value = [...openedFiles.value, ...rows];
  for (const [i4, file] of files.entries()) {
    const { id } = rows[i4];
    try {
      change(id, { state: "good", docs: await read(file.name, file.blob) });
    } catch (error) {
      change(id, { state: "bad", trouble: asTrouble(error).message });
    }
  }
  const [only] = openedFiles.value;
  if (files.length === 1 && openedFiles.value.length === 1 && only?.state === "good") showDocs(only.docs);
}
function showDocs(docs) {
  shownDocs.value = docs;
}
function filesOf(data) {
  if (!data) return [];
  const files = [...data.files].map((file) => ({ name: file.name, blob: file }));
  if (files.length > 0) return files;
  const text = data.getData("text/plain");
  return text.includes("\n") ? [{ name: t4("openPasted"), blob: new Blob([text]) }] : [];
}
function gameOfUrl(url) {
  try {
    const address = new URL(url, location.origin);
    if (address.origin !== location.origin || !address.pathname.startsWith(`${base}g/`)) return null;
    return address.pathname + address.hash;
  } catch {
    return null;
  }
}

// src/pages/Open.tsx
function ChooseFiles({ strong }) {
  const input = T2(null);
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("button", { type: "button", class: `button${strong ? " strong" : ""}`, onClick: () => input.current?.click(), children: t4("openChoose") }),
    /* @__PURE__ */ a4(
      "input",
      {
        ref: input,
        type: "file",
        multiple: true,
        class: "unseen",
        tabIndex: -1,
        "aria-label": t4("openChoose"),
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
  const rounds = file.docs.length > 1 ? ` · ${t4("openRounds", { n: file.docs.length })}` : "";
  return `${doc.rules.name} · ${t4("playersN", { n: doc.seats.length })}${rounds}`;
};
var FileRow = ({ file }) => /* @__PURE__ */ a4("li", { class: `row file ${file.state}`, children: [
  /* @__PURE__ */ a4("span", { class: "row-main", children: [
    /* @__PURE__ */ a4("bdi", { class: "row-name", children: shown(file.name) }),
    file.state === "reading" && /* @__PURE__ */ a4("span", { class: "note", children: t4("loading") }),
    file.state === "good" && /* @__PURE__ */ a4("span", { class: "note", children: about(file) }),
    file.state === "bad" && /* @__PURE__ */ a4("span", { class: "bad-text", role: "alert", children: shown(file.trouble ?? "") })
  ] }),
  file.state === "good" && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => showDocs(file.docs), children: [
    t4("openShow"),
    /* @__PURE__ */ a4("span", { class: "unseen", children: [
      " ",
      /* @__PURE__ */ a4("bdi", { children: shown(file.name) })
    ] })
  ] }),
  /* @__PURE__ */ a4("button", { type: "button", class: "button quiet square", "aria-label": t4("openRemove", { name: shown(file.name) }), onClick: () => removeFile(file.id), children: "✕" })
] });
function FileList() {
  const files = openedFiles.value;
  const good = files.filter((file) => file.state === "good");
  if (files.length === 0) return null;
  return /* @__PURE__ */ a4("section", { class: "block", children: [
    /* @__PURE__ */ a4("div", { class: "block-head", children: [
      /* @__PURE__ */ a4("h2", { children: t4("openList") }),
      good.length > 1 && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => showDocs(good.flatMap((file) => file.docs)), children: t4("openShowAll") })
    ] }),
    /* @__PURE__ */ a4("ul", { class: "rows panel", children: files.map((file) => /* @__PURE__ */ a4(FileRow, { file }, file.id)) })
  ] });
}
function Paste() {
  const text = useSignal("");
  return /* @__PURE__ */ a4("form", { class: "paste", onSubmit: (event) => {
    event.preventDefault();
    if (text.value.trim() !== "") void openFiles([{ name: t4("openPasted"), blob: new Blob([text.value]) }]);
  }, children: [
    /* @__PURE__ */ a4("label", { for: "pasted", children: t4("openPaste") }),
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
    /* @__PURE__ */ a4("button", { type: "submit", class: "button", disabled: text.value.trim() === "", children: t4("openPasteButton") })
  ] });
}
function Open(_3) {
  A2(() => {
    const url = new URLSearchParams(location.search).get("url");
    const game = url === null ? null : gameOfUrl(url);
    if (game) location.replace(game);
  }, []);
  return /* @__PURE__ */ a4(Frame, { title: t4("openTitle"), children: [
    /* @__PURE__ */ a4("section", { class: "dropzone", children: [
      /* @__PURE__ */ a4("svg", { class: "dropsign", viewBox: "0 0 48 48", "aria-hidden": "true", children: /* @__PURE__ */ a4("path", { d: "M24 6v24m-9-9 9 9 9-9M8 34v6h32v-6", fill: "none", stroke: "currentColor", "stroke-width": "3", "stroke-linecap": "round", "stroke-linejoin": "round" }) }),
      /* @__PURE__ */ a4("p", { class: "big", children: t4("openDrop") }),
      /* @__PURE__ */ a4(ChooseFiles, { strong: true }),
      /* @__PURE__ */ a4("p", { class: "note kinds", children: t4("openKinds") })
    ] }),
    /* @__PURE__ */ a4(FileList, {}),
    /* @__PURE__ */ a4("section", { class: "block", children: /* @__PURE__ */ a4(Paste, {}) })
  ] });
}

// src/parts/Toast.tsx
var lines = y3([]);
var lastId2 = 0;
function toast(text, bad = false) {
  const line = { id: ++lastId2, text, bad };
  lines.value = [...lines.value.slice(-2), line];
  setTimeout(() => {
    lines.value = lines.value.filter((each) => each.id !== line.id);
  }, bad ? 8e3 : 2500);
}
var Toasts = () => /* @__PURE__ */ a4("div", { class: "toasts", role: "status", children: lines.value.map((line) => /* @__PURE__ */ a4("div", { class: line.bad ? "toast bad" : "toast", children: line.text }, line.id)) });

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
  t4("showResults")
] });
function Games({ first }) {
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
  return /* @__PURE__ */ a4(Block, { title: t4("homeGames"), tools: /* @__PURE__ */ a4(ResultSwitch, {}), children: [
    /* @__PURE__ */ a4("ul", { class: "rows panel", children: all.map((game) => /* @__PURE__ */ a4(GameLine, { game }, game.id)) }),
    !end.value && /* @__PURE__ */ a4("p", { class: "after", children: /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => void load(), children: t4("homeMoreGames") }) })
  ] });
}
var OpenHint = () => /* @__PURE__ */ a4("section", { class: "block openhint", children: [
  /* @__PURE__ */ a4("div", { children: [
    /* @__PURE__ */ a4("h2", { children: t4("homeOpenTitle") }),
    /* @__PURE__ */ a4("p", { class: "note", children: t4("homeOpenText") })
  ] }),
  /* @__PURE__ */ a4(ChooseFiles, {}),
  /* @__PURE__ */ a4("a", { class: "button", href: `${base}open`, children: t4("openTitle") })
] });
function Lists({ data }) {
  const { live = [], rooms = [], contests = [], games = [] } = data;
  const nothing = live.length + rooms.length + contests.length + games.length === 0;
  return /* @__PURE__ */ a4($, { children: [
    nothing && /* @__PURE__ */ a4(Empty, { title: t4("homeNothing"), children: /* @__PURE__ */ a4("p", { children: t4("homeNothingText") }) }),
    live.length > 0 && /* @__PURE__ */ a4(
      Block,
      {
        title: /* @__PURE__ */ a4($, { children: [
          /* @__PURE__ */ a4("span", { class: "livedot", "aria-hidden": "true" }),
          t4("homeLive"),
          " ",
          /* @__PURE__ */ a4("span", { class: "count", children: live.length })
        ] }),
        tools: live.length > 1 && /* @__PURE__ */ a4("a", { class: "button quiet", href: `${base}wall?tables=${Math.min(9, live.length)}`, children: t4("wallLink") }),
        children: /* @__PURE__ */ a4("ul", { class: "cards", children: live.map((table2) => /* @__PURE__ */ a4(LiveCard, { table: table2 }, table2.id)) })
      }
    ),
    (rooms.length > 0 || contests.length > 0) && /* @__PURE__ */ a4("div", { class: "pair", children: [
      rooms.length > 0 && /* @__PURE__ */ a4(Block, { title: t4("homeRooms"), children: /* @__PURE__ */ a4("ul", { class: "rows panel", children: rooms.map((room) => /* @__PURE__ */ a4(RoomLine, { room }, room.code)) }) }),
      contests.length > 0 && /* @__PURE__ */ a4(Block, { title: t4("homeContests"), children: /* @__PURE__ */ a4("ul", { class: "rows panel", children: contests.map((contest) => /* @__PURE__ */ a4(ContestLine, { contest }, contest.id)) }) })
    ] }),
    games.length > 0 && /* @__PURE__ */ a4(Games, { first: games }),
    /* @__PURE__ */ a4(OpenHint, {})
  ] });
}
function Home(_3) {
  const path = results.value === "shown" ? "home?results=1" : "home";
  const { value, trouble, again } = useLoaded(path);
  A2(() => {
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
  }, []);
  useEach(3e4, again);
  return /* @__PURE__ */ a4(Frame, { title: t4("siteName"), children: value.value ? /* @__PURE__ */ a4(Lists, { data: value.value }) : trouble.value ? /* @__PURE__ */ a4(Trouble, { trouble: trouble.value, again }) : /* @__PURE__ */ a4(Loading, {}) });
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
function Login(_3) {
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
  return /* @__PURE__ */ a4(Frame, { title: t4("loginTitle"), children: [
    now === "asking" && /* @__PURE__ */ a4(Loading, {}),
    now === "good" && /* @__PURE__ */ a4(Empty, { title: t4("loginGood"), children: /* @__PURE__ */ a4("p", { class: "acts", children: [
      /* @__PURE__ */ a4("a", { class: "button strong", href: `${base}operator`, children: t4("operatorTitle") }),
      /* @__PURE__ */ a4("a", { class: "button", href: base, children: t4("toHome") })
    ] }) }),
    now === "bad" && /* @__PURE__ */ a4(Empty, { title: t4("loginBad"), children: /* @__PURE__ */ a4("p", { children: t4("operatorLockedText") }) }),
    now instanceof ApiError && /* @__PURE__ */ a4(Trouble, { trouble: now })
  ] });
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
  }, children: armed.value ? t4("actSure") : word });
}
function RoomActs({ room, changed }) {
  const act = async (what, body = {}) => {
    try {
      await post(`rooms/${encodeURIComponent(room.code)}/${what}`, body);
      toast(t4("actDone"));
    } catch (error) {
      toast(asTrouble(error).message, true);
    }
    changed();
  };
  const idle = room.state === "OPEN" || room.state === "READY";
  return /* @__PURE__ */ a4("div", { class: "acts", role: "group", "aria-label": t4("operatorTitle"), children: [
    idle && /* @__PURE__ */ a4("button", { type: "button", class: "button strong", onClick: () => void act("start"), children: t4("actStart") }),
    /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => void act("hold"), children: t4(room.held ? "actGoOn" : "actHold") }),
    room.state === "OVER" && /* @__PURE__ */ a4("button", { type: "button", class: "button strong", onClick: () => void act("next"), children: t4("actNext") }),
    (room.guests ?? []).map((guest) => /* @__PURE__ */ a4(SureButton, { word: t4("actKick", { name: shown(guest.name) }), act: () => void act("kick", { guest: guest.guest }) }, guest.guest)),
    /* @__PURE__ */ a4(SureButton, { word: t4("actClose"), act: () => void act("close") })
  ] });
}

// src/pages/Operator.tsx
var Locked = () => /* @__PURE__ */ a4(Empty, { title: t4("operatorLocked"), children: /* @__PURE__ */ a4("p", { children: t4("operatorLockedText") }) });
var NumberField = ({ name, word, first, min, max }) => /* @__PURE__ */ a4("label", { class: "labelled", children: [
  t4(word),
  /* @__PURE__ */ a4("input", { class: "field", type: "number", name, min, max, defaultValue: String(first), required: true })
] });
var Check = ({ name, word, on }) => /* @__PURE__ */ a4("label", { class: "switch", children: [
  /* @__PURE__ */ a4("input", { type: "checkbox", name, defaultChecked: on === true }),
  t4(word)
] });
function roomOf(form) {
  const text = (name) => String(form.get(name) ?? "");
  const whole = (name) => Number(form.get(name) ?? 0);
  return {
    name: text("name"),
    division: text("division"),
    rules: text("rules"),
    players: whole("players"),
    people: whole("people"),
    fill: text("fill"),
    start: text("start"),
    ...text("start") === "after" ? { start_s: whole("start_s") } : {},
    lang: text("lang"),
    delay_s: whole("delay_s"),
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
        toast(t4("actDone"));
        made();
        if (room?.code) location.assign(roomPath(room.code));
      },
      (error) => toast(asTrouble(error).message, true)
    );
  }, children: [
    /* @__PURE__ */ a4("div", { class: "fields", children: [
      /* @__PURE__ */ a4("label", { class: "labelled", children: [
        t4("operatorName"),
        /* @__PURE__ */ a4("input", { class: "field", name: "name", maxLength: 80, autocomplete: "off" })
      ] }),
      /* @__PURE__ */ a4("label", { class: "labelled", children: [
        t4("operatorDivision"),
        /* @__PURE__ */ a4("select", { class: "field", name: "division", value: division.value, onChange: (event) => {
          division.value = event.currentTarget.value;
        }, children: (offers?.divisions ?? ["nlp", "protocol", "maw"]).map((each) => /* @__PURE__ */ a4("option", { value: each, children: divisionWord(each) }, each)) })
      ] }),
      /* @__PURE__ */ a4("label", { class: "labelled", children: [
        t4("operatorRules"),
        rules && rules.length > 0 ? /* @__PURE__ */ a4("select", { class: "field", name: "rules", children: rules.map((each) => /* @__PURE__ */ a4("option", { children: each }, each)) }) : /* @__PURE__ */ a4("input", { class: "field", name: "rules", autocomplete: "off" })
      ] }),
      /* @__PURE__ */ a4(NumberField, { name: "players", word: "operatorPlayers", first: 5, min: 3, max: 30 }),
      /* @__PURE__ */ a4(NumberField, { name: "people", word: "operatorPeople", first: 1, min: 1, max: 30 }),
      /* @__PURE__ */ a4("label", { class: "labelled", children: [
        t4("operatorFill"),
        offers?.fill && offers.fill.length > 0 ? /* @__PURE__ */ a4("select", { class: "field", name: "fill", children: offers.fill.map((each) => /* @__PURE__ */ a4("option", { children: each }, each)) }) : /* @__PURE__ */ a4("input", { class: "field", name: "fill", defaultValue: "bot:talker", autocomplete: "off" })
      ] }),
      /* @__PURE__ */ a4("label", { class: "labelled", children: [
        t4("operatorStart"),
        /* @__PURE__ */ a4("select", { class: "field", name: "start", value: start.value, onChange: (event) => {
          start.value = event.currentTarget.value;
        }, children: ["full", "after", "hand"].map((each) => /* @__PURE__ */ a4("option", { value: each, children: t4(`operatorStart_${each}`) }, each)) })
      ] }),
      start.value === "after" && /* @__PURE__ */ a4(NumberField, { name: "start_s", word: "operatorStartS", first: 60, min: 5, max: 3600 }),
      /* @__PURE__ */ a4("label", { class: "labelled", children: [
        t4("operatorLang"),
        /* @__PURE__ */ a4("select", { class: "field", name: "lang", children: [
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
    /* @__PURE__ */ a4("button", { type: "submit", class: "button strong", children: t4("operatorMake") })
  ] });
}
var RoomRow = ({ room, changed }) => /* @__PURE__ */ a4("li", { class: "roomrow", children: [
  /* @__PURE__ */ a4("ul", { class: "rows", children: /* @__PURE__ */ a4(RoomLine, { room }) }),
  /* @__PURE__ */ a4(RoomActs, { room, changed })
] });
function TableRow({ table: table2, changed }) {
  const end = () => {
    post(`games/${encodeURIComponent(table2.id)}/end`, {}).then(() => toast(t4("actDone")), (error) => toast(asTrouble(error).message, true)).finally(changed);
  };
  return /* @__PURE__ */ a4("li", { class: "row", children: [
    /* @__PURE__ */ a4("a", { class: "row-main", href: `${gamePath(table2.id)}#view=all`, children: [
      /* @__PURE__ */ a4("bdi", { class: "row-name", children: shown(table2.name ?? table2.id) }),
      /* @__PURE__ */ a4("span", { class: "note", children: [
        shown(table2.rules),
        " · ",
        momentText(table2.day, table2.night),
        " · ",
        t4("aliveOf", { alive: table2.alive, n: table2.players })
      ] })
    ] }),
    /* @__PURE__ */ a4("a", { class: "button", href: `${base}mind/${encodeURIComponent(table2.id)}`, children: [
      t4("actMind"),
      /* @__PURE__ */ a4("span", { class: "unseen", children: [
        " ",
        shown(table2.name ?? table2.id)
      ] })
    ] }),
    /* @__PURE__ */ a4(SureButton, { word: t4("actEnd"), act: end })
  ] });
}
function Desk() {
  const rooms = useLoaded("rooms");
  const home = useLoaded("home");
  const again = () => {
    rooms.again();
    home.again();
  };
  useEach(5e3, again);
  const trouble = rooms.trouble.value;
  if (trouble?.status === 401 || trouble?.status === 403) return /* @__PURE__ */ a4(Locked, {});
  const data = rooms.value.value;
  const live = home.value.value?.live ?? [];
  if (!data && !trouble) return /* @__PURE__ */ a4(Loading, {});
  return /* @__PURE__ */ a4($, { children: [
    trouble && trouble.status !== 404 && /* @__PURE__ */ a4(Trouble, { trouble, again }),
    data && /* @__PURE__ */ a4("section", { class: "block", children: [
      /* @__PURE__ */ a4("div", { class: "block-head", children: /* @__PURE__ */ a4("h2", { children: t4("operatorRooms") }) }),
      data.rooms.length === 0 ? /* @__PURE__ */ a4("p", { class: "note", children: t4("operatorNoRooms") }) : /* @__PURE__ */ a4("ul", { class: "rows panel", children: data.rooms.map((room) => /* @__PURE__ */ a4(RoomRow, { room, changed: again }, room.code)) })
    ] }),
    data && /* @__PURE__ */ a4("section", { class: "block", children: [
      /* @__PURE__ */ a4("div", { class: "block-head", children: /* @__PURE__ */ a4("h2", { children: t4("operatorNew") }) }),
      /* @__PURE__ */ a4(NewRoom, { offers: data.offers, made: again })
    ] }),
    /* @__PURE__ */ a4("section", { class: "block", children: [
      /* @__PURE__ */ a4("div", { class: "block-head", children: /* @__PURE__ */ a4("h2", { children: t4("operatorTables") }) }),
      live.length === 0 ? /* @__PURE__ */ a4("p", { class: "note", children: t4("operatorNoTables") }) : /* @__PURE__ */ a4("ul", { class: "rows panel", children: live.map((table2) => /* @__PURE__ */ a4(TableRow, { table: table2, changed: again }, table2.id)) })
    ] }),
    /* @__PURE__ */ a4("p", { children: /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => {
      setSecret(null);
      location.assign(base);
    }, children: t4("operatorLogout") }) })
  ] });
}
var Operator = (_3) => /* @__PURE__ */ a4(Frame, { title: t4("operatorTitle"), children: operatorSecret() ? /* @__PURE__ */ a4(Desk, {}) : /* @__PURE__ */ a4(Locked, {}) });

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
  getModule(x3, y5) {
    return x3 >= 0 && x3 < this.size && y5 >= 0 && y5 < this.size && this.modules[y5][x3];
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
  drawFinderPattern(x3, y5) {
    for (let dy = -4; dy <= 4; dy++) {
      for (let dx = -4; dx <= 4; dx++) {
        const dist = Math.max(Math.abs(dx), Math.abs(dy));
        const xx = x3 + dx;
        const yy = y5 + dy;
        if (xx >= 0 && xx < this.size && yy >= 0 && yy < this.size)
          this.setFunctionModule(xx, yy, dist !== 2 && dist !== 4, QrCodeDataType.Position);
      }
    }
  }
  // Draws a 5*5 alignment pattern, with the center module
  // at (x, y). All modules must be in bounds.
  drawAlignmentPattern(x3, y5) {
    for (let dy = -2; dy <= 2; dy++) {
      for (let dx = -2; dx <= 2; dx++) {
        this.setFunctionModule(
          x3 + dx,
          y5 + dy,
          Math.max(Math.abs(dx), Math.abs(dy)) !== 1,
          QrCodeDataType.Alignment
        );
      }
    }
  }
  // Sets the color of a module and marks it as a function module.
  // Only used by the constructor. Coordinates must be in bounds.
  setFunctionModule(x3, y5, isDark, type = QrCodeDataType.Function) {
    this.modules[y5][x3] = isDark;
    this.types[y5][x3] = type;
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
          const x3 = right - j3;
          const upward = (right + 1 & 2) === 0;
          const y5 = upward ? this.size - 1 - vert : vert;
          if (!this.types[y5][x3] && i4 < data.length * 8) {
            this.modules[y5][x3] = getBit(data[i4 >>> 3], 7 - (i4 & 7));
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
      for (let x3 = 0; x3 < this.size; x3++) {
        let invert;
        switch (mask) {
          case 0:
            invert = (x3 + y5) % 2 === 0;
            break;
          case 1:
            invert = y5 % 2 === 0;
            break;
          case 2:
            invert = x3 % 3 === 0;
            break;
          case 3:
            invert = (x3 + y5) % 3 === 0;
            break;
          case 4:
            invert = (Math.floor(x3 / 3) + Math.floor(y5 / 2)) % 2 === 0;
            break;
          case 5:
            invert = x3 * y5 % 2 + x3 * y5 % 3 === 0;
            break;
          case 6:
            invert = (x3 * y5 % 2 + x3 * y5 % 3) % 2 === 0;
            break;
          case 7:
            invert = ((x3 + y5) % 2 + x3 * y5 % 3) % 2 === 0;
            break;
          default:
            throw new Error("Unreachable");
        }
        if (!this.types[y5][x3] && invert)
          this.modules[y5][x3] = !this.modules[y5][x3];
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
      for (let x3 = 0; x3 < this.size; x3++) {
        if (this.modules[y5][x3] === runColor) {
          runX++;
          if (runX === 5)
            result += PENALTY_N1;
          else if (runX > 5)
            result++;
        } else {
          this.finderPenaltyAddHistory(runX, runHistory);
          if (!runColor)
            result += this.finderPenaltyCountPatterns(runHistory) * PENALTY_N3;
          runColor = this.modules[y5][x3];
          runX = 1;
        }
      }
      result += this.finderPenaltyTerminateAndCount(runColor, runX, runHistory) * PENALTY_N3;
    }
    for (let x3 = 0; x3 < this.size; x3++) {
      let runColor = false;
      let runY = 0;
      const runHistory = [0, 0, 0, 0, 0, 0, 0];
      for (let y5 = 0; y5 < this.size; y5++) {
        if (this.modules[y5][x3] === runColor) {
          runY++;
          if (runY === 5)
            result += PENALTY_N1;
          else if (runY > 5)
            result++;
        } else {
          this.finderPenaltyAddHistory(runY, runHistory);
          if (!runColor)
            result += this.finderPenaltyCountPatterns(runHistory) * PENALTY_N3;
          runColor = this.modules[y5][x3];
          runY = 1;
        }
      }
      result += this.finderPenaltyTerminateAndCount(runColor, runY, runHistory) * PENALTY_N3;
    }
    for (let y5 = 0; y5 < this.size - 1; y5++) {
      for (let x3 = 0; x3 < this.size - 1; x3++) {
        const color = this.modules[y5][x3];
        if (color === this.modules[y5][x3 + 1] && color === this.modules[y5 + 1][x3] && color === this.modules[y5 + 1][x3 + 1]) {
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
function getBit(x3, i4) {
  return (x3 >>> i4 & 1) !== 0;
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
  const result = divisor.map((_3) => 0);
  for (const b3 of data) {
    const factor = b3 ^ result.shift();
    result.push(0);
    divisor.forEach((coef, i4) => result[i4] ^= reedSolomonMultiply(coef, factor));
  }
  return result;
}
function reedSolomonMultiply(x3, y5) {
  if (x3 >>> 8 !== 0 || y5 >>> 8 !== 0)
    throw new RangeError("Byte out of range");
  let z3 = 0;
  for (let i4 = 7; i4 >= 0; i4--) {
    z3 = z3 << 1 ^ (z3 >>> 7) * 285;
    z3 ^= (y5 >>> i4 & 1) * x3;
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
    input.data.unshift(Array.from({ length: newSize }, (_3) => false));
    input.data.push(Array.from({ length: newSize }, (_3) => false));
  }
  const b3 = QrCodeDataType.Border;
  input.types.forEach((row) => {
    for (let i4 = 0; i4 < border; i4++) {
      row.unshift(b3);
      row.push(b3);
    }
  });
  for (let i4 = 0; i4 < border; i4++) {
    input.types.unshift(Array.from({ length: newSize }, (_3) => b3));
    input.types.push(Array.from({ length: newSize }, (_3) => b3));
  }
  return input;
}

// src/parts/Qr.tsx
function qrPath(data) {
  let path = "";
  data.forEach((row, y5) => {
    for (let x3 = 0; x3 < row.length; x3++) {
      const from = x3;
      while (row[x3]) x3++;
      if (x3 > from) path += `M${from} ${y5}h${x3 - from}v1h-${x3 - from}z`;
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
var roomUrl = (room) => room.url ?? `${location.origin}${roomPath(room.code)}`;
function Countdown({ ms }) {
  const end = useSignal(performance.now() + ms);
  const left = useSignal(ms);
  A2(() => {
    end.value = performance.now() + ms;
    left.value = ms;
    const timer = setInterval(() => {
      left.value = Math.max(0, end.value - performance.now());
    }, 500);
    return () => clearInterval(timer);
  }, [ms]);
  return /* @__PURE__ */ a4($, { children: t4("roomStart_after", { time: clockText(left.value) }) });
}
function When2({ room }) {
  if (room.held) return /* @__PURE__ */ a4("p", { children: t4("roomHeld") });
  if (room.state === "PLAYING") return /* @__PURE__ */ a4("p", { children: t4("roomBegan") });
  if (room.start_ms !== void 0 && (room.state === "READY" || room.start === "after")) return /* @__PURE__ */ a4("p", { children: /* @__PURE__ */ a4(Countdown, { ms: room.start_ms }) });
  return room.start ? /* @__PURE__ */ a4("p", { children: t4(room.start === "after" ? "roomStart_full" : `roomStart_${room.start}`) }) : null;
}
var GuestRow = ({ guest, room }) => /* @__PURE__ */ a4("li", { class: `guest${guest.away ? " gone" : ""}`, children: [
  /* @__PURE__ */ a4("span", { class: "dot", "aria-hidden": "true" }),
  /* @__PURE__ */ a4("bdi", { children: shown(guest.name) }),
  room.you?.guest === guest.guest && /* @__PURE__ */ a4("span", { class: "pill", children: t4("roomYou") }),
  guest.away && /* @__PURE__ */ a4("span", { class: "note", children: t4("roomAway") })
] });
function Guests({ room }) {
  const guests = (room.guests ?? []).slice(0, room.people);
  const free = Math.max(0, room.people - (room.guests?.length ?? room.taken ?? 0));
  const others = room.players - room.people;
  return /* @__PURE__ */ a4("section", { class: "panel", children: [
    /* @__PURE__ */ a4("h2", { class: "small", children: t4("roomGuests") }),
    /* @__PURE__ */ a4("ul", { class: "guests", children: [
      guests.map((guest) => /* @__PURE__ */ a4(GuestRow, { guest, room }, guest.guest)),
      Array.from({ length: Math.min(free, 30) }, (_3, i4) => /* @__PURE__ */ a4("li", { class: "guest free", children: [
        /* @__PURE__ */ a4("span", { class: "dot", "aria-hidden": "true" }),
        t4("roomFree")
      ] }, `free${i4}`))
    ] }),
    others > 0 && /* @__PURE__ */ a4("p", { class: "note", children: t4("roomFill", { n: others, kind: shown(room.fill ?? "bot") }) }),
    (room.queue ?? 0) > 0 && /* @__PURE__ */ a4("p", { class: "note", children: t4("roomQueueN", { n: room.queue ?? 0 }) }),
    (room.watchers ?? 0) > 0 && /* @__PURE__ */ a4("p", { class: "note", children: t4("roomWatchers", { n: room.watchers ?? 0 }) })
  ] });
}
function Join({ room, act }) {
  const name = useSignal(kept("name") ?? "");
  const busy = useSignal(false);
  const full = (room.guests?.length ?? room.taken ?? 0) >= room.people;
  const waits = full || room.state === "PLAYING";
  return /* @__PURE__ */ a4("form", { class: "join", onSubmit: (event) => {
    event.preventDefault();
    if (busy.value) return;
    keep("name", name.value.trim());
    busy.value = true;
    void act("join", { name: name.value.trim() }).finally(() => {
      busy.value = false;
    });
  }, children: [
    /* @__PURE__ */ a4("label", { for: "guestname", children: t4("roomName") }),
    /* @__PURE__ */ a4(
      "input",
      {
        id: "guestname",
        class: "field",
        value: name.value,
        maxLength: 32,
        autocomplete: "nickname",
        enterkeyhint: "go",
        placeholder: t4("roomNameHint"),
        onInput: (event) => {
          name.value = event.currentTarget.value;
        }
      }
    ),
    waits && /* @__PURE__ */ a4("p", { class: "note", children: t4("roomFull") }),
    /* @__PURE__ */ a4("button", { type: "submit", class: "button strong wide", disabled: busy.value, children: t4(waits ? "roomQueueUp" : "roomJoin") })
  ] });
}
function Yours({ room, act }) {
  const you = room.you;
  if (!you) return /* @__PURE__ */ a4(Join, { room, act });
  const name = shown(you.name);
  return /* @__PURE__ */ a4("div", { class: "join", children: [
    /* @__PURE__ */ a4("p", { class: "big", role: "status", children: you.queue !== void 0 ? t4("roomYouWait", { n: you.queue, name }) : t4("roomYouSit", { name }) }),
    you.queue === void 0 && /* @__PURE__ */ a4("a", { class: "button strong wide", href: `${base}seat`, children: t4("roomToSeat") }),
    /* @__PURE__ */ a4("button", { type: "button", class: "button wide", onClick: () => void act("leave", {}), children: t4("roomLeave") })
  ] });
}
async function copyLink(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t4("roomCopied"));
  } catch {
    toast(text);
  }
}
var Facts = ({ room }) => /* @__PURE__ */ a4("p", { class: "facts", children: [
  /* @__PURE__ */ a4("span", { class: `pill state-${room.state}`, children: t4(`roomState_${room.state}`) }),
  /* @__PURE__ */ a4("span", { children: [
    divisionWord(room.division),
    " · ",
    /* @__PURE__ */ a4("bdi", { children: shown(room.rules) }),
    " · ",
    t4("playersN", { n: room.players })
  ] }),
  room.lang && /* @__PURE__ */ a4("span", { children: t4("roomPlayLang", { lang: ["en", "ja", "aiwolf"].includes(room.lang) ? t4(`lang${room.lang}`) : room.lang }) }),
  (room.delay_ms ?? 0) > 0 && /* @__PURE__ */ a4("span", { children: t4("roomDelay", { time: spanText(room.delay_ms ?? 0) }) }),
  room.names_hidden && /* @__PURE__ */ a4("span", { children: t4("roomNamesHidden") })
] });
function Body({ room, loaded }) {
  const act = async (what, body) => {
    try {
      const answer = await post(`rooms/${encodeURIComponent(room.code)}/${what}`, body);
      if (answer && answer.code) loaded.value.value = answer;
      else loaded.again();
      if (what === "join" && answer?.you && answer.you.queue === void 0 && answer.state === "PLAYING") location.assign(`${base}seat`);
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
      room.game !== void 0 && /* @__PURE__ */ a4("a", { class: "button wide", href: gamePath(room.game), children: t4("roomWatch") }),
      /* @__PURE__ */ a4(Guests, { room }),
      operatorSecret() && /* @__PURE__ */ a4(RoomActs, { room, changed: loaded.again })
    ] }),
    /* @__PURE__ */ a4("figure", { class: "room-code", children: [
      /* @__PURE__ */ a4(Qr, { text: roomUrl(room), label: t4("roomQrLabel", { url: roomUrl(room) }) }),
      /* @__PURE__ */ a4("figcaption", { children: [
        /* @__PURE__ */ a4("strong", { children: t4("roomScan") }),
        /* @__PURE__ */ a4("span", { class: "room-url", children: roomUrl(room) }),
        /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => void copyLink(roomUrl(room)), children: t4("roomCopy") })
      ] })
    ] })
  ] });
}
function RoomPage({ id }) {
  const loaded = useLoaded(`rooms/${encodeURIComponent(id)}`);
  A2(() => {
    const deaf = feed.onMessage((message) => {
      if (message.type !== "room" || message.code !== id) return;
      const before = loaded.value.value;
      const { type: _3, ...changed } = message;
      if (!before) return;
      const now = { ...before, ...changed };
      loaded.value.value = now;
      if (before.state !== "PLAYING" && now.state === "PLAYING" && now.you && now.you.queue === void 0) location.assign(`${base}seat`);
    });
    const leave = feed.follow({ type: "watch", room: id });
    return () => {
      deaf();
      leave();
    };
  }, [id]);
  useEach(1e4, loaded.again);
  const room = loaded.value.value;
  return /* @__PURE__ */ a4(Frame, { title: room?.name ?? id, children: room ? /* @__PURE__ */ a4(Body, { room, loaded }) : loaded.trouble.value ? /* @__PURE__ */ a4(Trouble, { trouble: loaded.trouble.value, again: loaded.again }) : /* @__PURE__ */ a4(Loading, {}) });
}

// src/protocol_builder.ts
var ROLES = ["VILLAGER", "SEER", "MEDIUM", "BODYGUARD", "WEREWOLF", "POSSESSED"];

// src/pages/Search.tsx
var filters = ["contest", "team", "role", "day"];
function markedParts(text, words) {
  const lower = text.toLowerCase();
  const marks = [];
  if (lower.length === text.length)
    for (const word of words) {
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
var HitRow = ({ hit, words }) => /* @__PURE__ */ a4("li", { class: "row hit", children: /* @__PURE__ */ a4("a", { class: "row-main", href: `${gamePath(hit.game)}${hit.a ? `#at=${encodeURIComponent(hit.a)}` : ""}`, children: [
  /* @__PURE__ */ a4("span", { class: "hit-text", children: [
    hit.seat !== void 0 && /* @__PURE__ */ a4(Chip, { seat: hit.seat }),
    " ",
    hit.name !== void 0 && /* @__PURE__ */ a4("bdi", { class: "name", children: shown(hit.name) }),
    " ",
    /* @__PURE__ */ a4("bdi", { children: markedParts(shown(hit.text), words).map((part, i4) => part.hit ? /* @__PURE__ */ a4("mark", { children: part.text }, i4) : part.text) })
  ] }),
  /* @__PURE__ */ a4("span", { class: "note", children: [
    /* @__PURE__ */ a4("bdi", { children: shown(hit.game) }),
    hit.day !== void 0 && /* @__PURE__ */ a4($, { children: [
      " · ",
      t4("dayN", { n: hit.day })
    ] })
  ] })
] }) });
function Filters({ asked }) {
  const open = filters.some((name) => asked.get(name));
  const field = (name, word) => /* @__PURE__ */ a4("label", { class: "labelled", children: [
    t4(word),
    /* @__PURE__ */ a4("input", { class: "field", name, defaultValue: asked.get(name) ?? "", autocomplete: "off" })
  ] });
  return /* @__PURE__ */ a4("details", { class: "filters", open, children: [
    /* @__PURE__ */ a4("summary", { class: "button quiet", children: t4("more") }),
    /* @__PURE__ */ a4("div", { class: "fields", children: [
      field("contest", "filterContest"),
      field("team", "filterTeam"),
      /* @__PURE__ */ a4("label", { class: "labelled", children: [
        t4("filterRole"),
        /* @__PURE__ */ a4("select", { class: "field", name: "role", children: [
          /* @__PURE__ */ a4("option", { value: "", children: t4("filterAny") }),
          [...ROLES, "FREEMASON", "FOX"].map((role) => /* @__PURE__ */ a4("option", { value: role, selected: asked.get("role") === role, children: t4(`role_${role}`) }, role))
        ] })
      ] }),
      /* @__PURE__ */ a4("label", { class: "labelled", children: [
        t4("filterDay"),
        /* @__PURE__ */ a4("input", { class: "field", name: "day", type: "number", min: 0, max: 99, defaultValue: asked.get("day") ?? "" })
      ] })
    ] })
  ] });
}
function Hits({ asked }) {
  const data = useSignal(null);
  const trouble = useSignal(null);
  const q2 = (asked.get("q") ?? "").trim();
  const load = (after) => {
    const query = new URLSearchParams(asked);
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
  const found = data.value;
  if (!found) return /* @__PURE__ */ a4(Loading, {});
  if (found.hits.length === 0) return /* @__PURE__ */ a4(Empty, { title: t4("searchNothing", { q: shown(q2) }), children: found.building && /* @__PURE__ */ a4("p", { children: t4("searchBuilding") }) });
  const words = q2.split(/\s+/).filter((word) => word !== "");
  return /* @__PURE__ */ a4("section", { class: "block", style: hues(18), children: [
    /* @__PURE__ */ a4("p", { class: "note", role: "status", children: [
      t4("searchHits", { n: found.total ?? found.hits.length }),
      found.building && /* @__PURE__ */ a4($, { children: [
        " · ",
        t4("searchBuilding")
      ] })
    ] }),
    /* @__PURE__ */ a4("ul", { class: "rows panel", children: found.hits.map((hit, i4) => /* @__PURE__ */ a4(HitRow, { hit, words }, `${hit.game} ${hit.a ?? ""} ${i4}`)) }),
    found.next !== void 0 && /* @__PURE__ */ a4("p", { class: "after", children: /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => load(found.next), children: t4("searchMore") }) })
  ] });
}
function Search(_3) {
  const asked = new URLSearchParams(location.search);
  for (const [name, value] of [...asked]) if (value === "") asked.delete(name);
  const q2 = (asked.get("q") ?? "").trim();
  return /* @__PURE__ */ a4(Frame, { title: q2 ? `${q2} · ${t4("searchTitle")}` : t4("searchTitle"), heading: t4("searchTitle"), children: [
    /* @__PURE__ */ a4("search", { children: /* @__PURE__ */ a4("form", { class: "searchform", action: `${base}search`, method: "get", children: [
      /* @__PURE__ */ a4("label", { class: "unseen", for: "q", children: t4("searchLabel") }),
      /* @__PURE__ */ a4("input", { id: "q", class: "field", type: "search", name: "q", defaultValue: q2, placeholder: t4("searchLabel"), autocomplete: "off", enterkeyhint: "search" }),
      /* @__PURE__ */ a4("button", { type: "submit", class: "button strong", children: t4("searchButton") }),
      /* @__PURE__ */ a4(Filters, { asked })
    ] }) }),
    q2 !== "" && ([...q2].length < 2 ? /* @__PURE__ */ a4("p", { class: "note", children: t4("searchShort") }) : /* @__PURE__ */ a4(Hits, { asked }))
  ] });
}

// src/pages/SeatPage.tsx
var SeatPage = (_3) => /* @__PURE__ */ a4("main", { class: "page", children: "SeatPage" });

// src/pages/SessionPage.tsx
var Rounds = ({ session }) => /* @__PURE__ */ a4("section", { class: "block", children: [
  /* @__PURE__ */ a4("div", { class: "block-head", children: [
    /* @__PURE__ */ a4("h2", { children: t4("sessionRounds") }),
    /* @__PURE__ */ a4("label", { class: "switch", children: [
      /* @__PURE__ */ a4("input", { type: "checkbox", checked: results.value === "shown", onChange: (event) => {
        results.value = event.currentTarget.checked ? "shown" : "hidden";
      } }),
      t4("showResults")
    ] })
  ] }),
  /* @__PURE__ */ a4("ul", { class: "rows panel", children: session.rounds.map((round) => /* @__PURE__ */ a4("li", { class: "row", children: [
    /* @__PURE__ */ a4("a", { class: "row-main", href: gamePath(round.game), children: [
      /* @__PURE__ */ a4("span", { class: "row-name", children: t4("roundN", { n: round.round }) }),
      round.players !== void 0 && /* @__PURE__ */ a4("span", { class: "note", children: t4("playersN", { n: round.players }) })
    ] }),
    results.value === "shown" && round.winner && /* @__PURE__ */ a4("span", { class: `pill won-${round.winner}`, children: t4(`winner${round.winner}`) }),
    statusWord(round.status) && /* @__PURE__ */ a4("span", { class: round.status === "running" ? "pill live" : "pill", children: statusWord(round.status) })
  ] }, round.game)) })
] });
var Points = ({ session }) => /* @__PURE__ */ a4("section", { class: "block", children: [
  /* @__PURE__ */ a4("div", { class: "block-head", children: /* @__PURE__ */ a4("h2", { id: "points", children: t4("sessionPoints") }) }),
  /* @__PURE__ */ a4("div", { class: "panel scroll", tabIndex: 0, role: "region", "aria-labelledby": "points", children: /* @__PURE__ */ a4("table", { class: "figures", children: [
    /* @__PURE__ */ a4("thead", { children: /* @__PURE__ */ a4("tr", { children: [
      /* @__PURE__ */ a4("th", { scope: "col", children: t4("sessionPlayer") }),
      session.rounds.map((round) => /* @__PURE__ */ a4("th", { scope: "col", children: /* @__PURE__ */ a4("a", { href: gamePath(round.game), children: round.round }) }, round.game)),
      /* @__PURE__ */ a4("th", { scope: "col", children: t4("sessionTotal") })
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
function quantile(values, part) {
  return values[Math.min(values.length - 1, Math.max(0, Math.ceil(part * values.length) - 1))];
}

// src/pages/Mind.tsx
var unfolded = y3(false);
var SHOWN_FIRST = 60;
var seconds = (ms) => ms === void 0 ? "–" : `${new Intl.NumberFormat(lang.value, { maximumFractionDigits: ms < 1e4 ? 1 : 0 }).format(ms / 1e3)} s`;
var money = (value, currency) => `≈ ${new Intl.NumberFormat(lang.value, { maximumFractionDigits: value < 1 ? 4 : 2 }).format(value)} ${currency ?? ""}`;
var sourceWord = (source) => ["model", "repaired", "rule", "demo"].includes(source) ? t4(`source_${source}`) : shown(source);
function Strip({ latency, most }) {
  const x3 = (ms) => 4 + ms / Math.max(most, 1) * 112;
  const p50 = quantile(latency, 0.5);
  const p95 = quantile(latency, 0.95);
  if (p50 === void 0 || p95 === void 0) return /* @__PURE__ */ a4($, { children: "–" });
  return /* @__PURE__ */ a4("span", { class: "strip", children: [
    /* @__PURE__ */ a4("svg", { viewBox: "0 0 120 16", "aria-hidden": "true", children: [
      /* @__PURE__ */ a4("path", { d: "M4 8h112", class: "strip-line" }),
      latency.slice(-200).map((ms, i4) => /* @__PURE__ */ a4("circle", { cx: x3(ms).toFixed(1), cy: "8", r: "2.2", class: "strip-dot" }, i4)),
      /* @__PURE__ */ a4("path", { d: `M${x3(p50).toFixed(1)} 2v12M${x3(p95).toFixed(1)} 2v12`, class: "strip-mark" })
    ] }),
    /* @__PURE__ */ a4("span", { children: [
      seconds(p50),
      " / ",
      seconds(p95)
    ] })
  ] });
}
function Seats({ mind, chosen, choose }) {
  const rows = mind.seats.map((seat) => ({ seat, figures: figuresOf(mind.decisions.filter((each) => each.seat === seat.seat)) }));
  const most = Math.max(1, ...rows.map((row) => row.figures.latency[row.figures.latency.length - 1] ?? 0));
  return /* @__PURE__ */ a4("div", { class: "panel scroll", tabIndex: 0, role: "region", "aria-label": t4("mindSeat"), children: /* @__PURE__ */ a4("table", { class: "figures minds", children: [
    /* @__PURE__ */ a4("thead", { children: /* @__PURE__ */ a4("tr", { children: ["mindSeat", "mindModel", "mindDecisions", "mindTokens", "mindCost", "mindLatency", "mindLeaks", "mindRefusals"].map((word) => /* @__PURE__ */ a4("th", { scope: "col", children: t4(word) }, word)) }) }),
    /* @__PURE__ */ a4("tbody", { children: rows.map(({ seat, figures }) => /* @__PURE__ */ a4("tr", { class: chosen === seat.seat ? "chosen" : "", children: [
      /* @__PURE__ */ a4("th", { scope: "row", children: /* @__PURE__ */ a4("button", { type: "button", class: "link", "aria-pressed": chosen === seat.seat, onClick: () => choose(chosen === seat.seat ? 0 : seat.seat), children: /* @__PURE__ */ a4(Who, { seat: seat.seat, name: seat.name }) }) }),
      /* @__PURE__ */ a4("td", { children: /* @__PURE__ */ a4("bdi", { children: shown(seat.model ?? seat.kind ?? "–") }) }),
      /* @__PURE__ */ a4("td", { children: figures.sources.length > 0 ? figures.sources.map(([source, n3]) => `${num(n3)} ${sourceWord(source)}`).join(" · ") : num(figures.decisions) }),
      /* @__PURE__ */ a4("td", { class: "right", children: [
        num(figures.tokensIn),
        " / ",
        num(figures.tokensOut)
      ] }),
      /* @__PURE__ */ a4("td", { class: "right", children: seat.cost !== void 0 || figures.cost !== void 0 ? money(seat.cost ?? figures.cost ?? 0, mind.currency) : "–" }),
      /* @__PURE__ */ a4("td", { children: /* @__PURE__ */ a4(Strip, { latency: figures.latency, most }) }),
      /* @__PURE__ */ a4("td", { class: "right", children: num(figures.leaks) }),
      /* @__PURE__ */ a4("td", { class: "right", children: num(figures.refusals) })
    ] }, seat.seat)) })
  ] }) });
}
var Fold = ({ title, text }) => /* @__PURE__ */ a4("details", { class: "fold", open: unfolded.value, children: [
  /* @__PURE__ */ a4("summary", { children: title }),
  /* @__PURE__ */ a4("pre", { children: /* @__PURE__ */ a4("bdi", { children: shown(text) }) })
] });
function promptText(mind, number) {
  const prompt = mind.prompts?.find((each) => each.number === number);
  if (!prompt) return void 0;
  return prompt.text ?? (prompt.messages ?? []).map((message) => `[${message.role}]
${message.content}`).join("\n\n");
}
function DecisionRow({ decision, mind }) {
  const { message, thought, raw, reason, why, trouble } = decision;
  const asked = promptText(mind, decision.prompt);
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
      decision.a !== void 0 && /* @__PURE__ */ a4("a", { class: "note", href: `${gamePath(mind.game)}#at=${encodeURIComponent(decision.a)}`, children: t4("mindToMoment") })
    ] }),
    thought && /* @__PURE__ */ a4("p", { class: "thought", children: [
      /* @__PURE__ */ a4("span", { class: "unseen", children: [
        t4("mindThought"),
        ": "
      ] }),
      /* @__PURE__ */ a4("bdi", { children: shown(thought) })
    ] }),
    message && /* @__PURE__ */ a4("p", { class: "said", children: [
      /* @__PURE__ */ a4("span", { class: "unseen", children: [
        t4("mindSaid"),
        ": "
      ] }),
      /* @__PURE__ */ a4("bdi", { children: shown(message) })
    ] }),
    (reason ?? why) && /* @__PURE__ */ a4("p", { class: "note", children: [
      t4("mindWhy"),
      ": ",
      /* @__PURE__ */ a4("bdi", { children: shown(reason ?? why ?? "") })
    ] }),
    trouble && /* @__PURE__ */ a4("p", { class: "bad-text", children: /* @__PURE__ */ a4("bdi", { children: shown(trouble) }) }),
    asked !== void 0 && /* @__PURE__ */ a4(Fold, { title: t4("mindPrompt", { n: decision.prompt ?? 0 }), text: asked }),
    raw && /* @__PURE__ */ a4(Fold, { title: t4("mindRaw"), text: raw })
  ] });
}
function Decisions({ mind, chosen }) {
  const more = useSignal(SHOWN_FIRST);
  const all = mind.decisions.filter((each) => chosen === 0 || each.seat === chosen).reverse();
  return /* @__PURE__ */ a4("section", { class: "block", children: [
    /* @__PURE__ */ a4("div", { class: "block-head", children: [
      /* @__PURE__ */ a4("h2", { children: [
        t4("mindDecisions"),
        " ",
        /* @__PURE__ */ a4("span", { class: "count", children: chosen === 0 ? t4("mindAll") : /* @__PURE__ */ a4(Chip, { seat: chosen }) })
      ] }),
      /* @__PURE__ */ a4("label", { class: "switch", children: [
        /* @__PURE__ */ a4("input", { type: "checkbox", checked: unfolded.value, onChange: (event) => {
          unfolded.value = event.currentTarget.checked;
        } }),
        t4("mindUnfold")
      ] })
    ] }),
    all.length === 0 && /* @__PURE__ */ a4("p", { class: "note", children: t4("mindNothing") }),
    /* @__PURE__ */ a4("ol", { class: "decisions", children: all.slice(0, more.value).map((decision, i4) => /* @__PURE__ */ a4(DecisionRow, { decision, mind }, all.length - i4)) }),
    all.length > more.value && /* @__PURE__ */ a4("p", { class: "after", children: /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => {
      more.value += SHOWN_FIRST;
    }, children: t4("more") }) })
  ] });
}
function Mind({ id }) {
  const { value, trouble, again } = useLoaded(`games/${encodeURIComponent(id)}/mind`);
  const chosen = useSignal(0);
  const mind = value.value;
  const live = mind?.live === true;
  useEach(3e3, () => {
    if (live) again();
  });
  A2(() => {
    document.documentElement.classList.toggle("watched", live);
    return () => document.documentElement.classList.remove("watched");
  }, [live]);
  return /* @__PURE__ */ a4(Frame, { title: live ? t4("mindLiveTitle") : `${t4("mindTitle")} ${id}`, wide: true, children: [
    live && /* @__PURE__ */ a4("p", { class: "warning", role: "note", children: [
      /* @__PURE__ */ a4("strong", { children: t4("mindLiveTitle") }),
      " ",
      t4("mindLiveText")
    ] }),
    mind ? /* @__PURE__ */ a4("div", { style: hues(mind.seats.length), children: [
      /* @__PURE__ */ a4("p", { class: "note", children: /* @__PURE__ */ a4("a", { href: gamePath(id), children: /* @__PURE__ */ a4("bdi", { children: shown(id) }) }) }),
      mind.seats.length === 0 ? /* @__PURE__ */ a4(Empty, { title: t4("mindNothing") }) : /* @__PURE__ */ a4(Seats, { mind, chosen: chosen.value, choose: (seat) => {
        chosen.value = seat;
      } }),
      /* @__PURE__ */ a4(Decisions, { mind, chosen: chosen.value })
    ] }) : trouble.value ? /* @__PURE__ */ a4(Trouble, { trouble: trouble.value, again }) : /* @__PURE__ */ a4(Loading, {})
  ] });
}

// src/pages/Wall.tsx
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
function WallTable({ id }) {
  const game = w2(() => new LiveGame(id, "public"), [id]);
  A2(() => () => game.stop(), [game]);
  const doc = game.doc.value;
  if (!doc) return /* @__PURE__ */ a4("div", { class: "mini-wait", children: game.trouble.value ? shown(game.trouble.value.message) : t4("loading") });
  const phase = doc.phases[doc.phases.length - 1];
  const dead = deadIn(doc);
  const word = lastWord(doc);
  const line = plainOf(word, document.documentElement.lang);
  return /* @__PURE__ */ a4($, { children: /* @__PURE__ */ a4("a", { href: gamePath(id), children: [
    /* @__PURE__ */ a4(
      MiniTable,
      {
        name: id,
        day: phase?.day ?? 0,
        night: phase?.night ?? false,
        names: true,
        speaking: word?.seat ?? game.typing.value,
        seats: doc.seats.map((seat) => ({ seat: seat.seat, name: seat.name, dead: dead.has(seat.seat) })),
        ...line !== void 0 ? { line } : {},
        ...doc.status !== "running" || game.over.value ? { over: doc.winner ? t4(`winner${doc.winner}`) : t4("wallOver") } : {}
      }
    ),
    /* @__PURE__ */ a4("span", { class: "card-foot", children: [
      /* @__PURE__ */ a4("bdi", { class: "row-name", children: shown(id) }),
      /* @__PURE__ */ a4("span", { class: "note", children: shown(doc.rules.name) })
    ] })
  ] }) });
}
function placeTables(before, live, count) {
  const stay = before.filter((id) => live.includes(id)).slice(0, count);
  const more = live.filter((id) => !stay.includes(id));
  const placed = before.slice(0, count).map((id) => stay.includes(id) ? id : more.shift() ?? id);
  while (placed.length < count && more.length > 0) placed.push(more.shift());
  return placed;
}
function Wall(_3) {
  const asked = Number(new URLSearchParams(location.search).get("tables") ?? WATCHES_MAX);
  const count = Math.min(WATCHES_MAX, Math.max(1, Number.isInteger(asked) ? asked : WATCHES_MAX));
  const { value, trouble, again } = useLoaded("home");
  const shownIds = useSignal([]);
  A2(() => {
    feed.keep = true;
    return () => {
      feed.keep = false;
    };
  }, []);
  useEach(5e3, again);
  const live = value.value?.live;
  A2(() => {
    if (live) shownIds.value = placeTables(shownIds.value, live.map((table2) => table2.id), count);
  }, [live]);
  const ids = shownIds.value;
  return /* @__PURE__ */ a4(Frame, { title: t4("wallTitle"), wide: true, children: ids.length > 0 ? /* @__PURE__ */ a4("ul", { class: `wall of${ids.length > 4 ? 9 : ids.length > 1 ? 4 : 1}`, children: ids.map((id) => /* @__PURE__ */ a4("li", { class: "card", children: /* @__PURE__ */ a4(WallTable, { id }) }, id)) }) : live ? /* @__PURE__ */ a4(Empty, { title: t4("wallNothing"), children: /* @__PURE__ */ a4("p", { children: t4("wallNothingText") }) }) : trouble.value ? /* @__PURE__ */ a4(Trouble, { trouble: trouble.value, again }) : /* @__PURE__ */ a4(Loading, {}) });
}

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
  { word: "login", withId: false, page: Login }
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
  return over.value ? /* @__PURE__ */ a4("div", { class: "dropping", children: /* @__PURE__ */ a4("p", { children: t4("dropHere") }) }) : null;
}

// src/parts/Lost.tsx
var Lost = () => /* @__PURE__ */ a4("div", { class: "lost", role: "status", hidden: !feedLost.value, children: feedLost.value && t4("connectionLost") });

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
var place = document.getElementById("app") ?? document.body.appendChild(document.createElement("div"));
place.id = "app";
Q(/* @__PURE__ */ a4(App, {}), place);
