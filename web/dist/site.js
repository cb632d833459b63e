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
  var s4, h5, v4, w5, d4, _3, g5 = u4.__k || y, k4 = t6.length;
  for (l4 = q(r4, t6, g5, l4, k4), s4 = 0; s4 < k4; s4++) null != (v4 = r4.__k[s4]) && (h5 = ~v4.__i && g5[v4.__i] || p, v4.__i = s4, _3 = z(n3, v4, h5, i4, f5, o5, e4, l4, c4, a5), w5 = v4.__e, (h5.ref != v4.ref || 8 & h5.__u) && (h5.ref && G(h5.ref, null, v4, h5), v4.ref && a5.push(v4.ref, v4.__c || w5, v4)), d4 = d4 || w5, 4 & v4.__u ? (l4 = A(v4, l4, n3, !h5.__v), h5.__e && (h5.__e = null)) : "function" == typeof v4.type && void 0 !== _3 ? l4 = _3 : w5 && (l4 = w5.nextSibling), v4.__u &= -21);
  return r4.__e = d4, l4;
}
function q(n3, t6, r4, u4, i4) {
  var f5, o5, e4, l4, c4, a5, s4, p5, y5, v4 = r4.length, d4 = v4, _3 = 0, g5 = 0, k4 = n3.__k = Array(i4);
  for (f5 = 0; f5 < i4; f5++) null != (o5 = t6[f5]) && "boolean" != typeof o5 && "function" != typeof o5 ? ("object" != typeof o5 || o5.constructor === String ? o5 = k4[f5] = m(null, o5) : w(o5) ? o5 = k4[f5] = m($, { children: o5 }) : o5.constructor === h && o5.__b ? o5 = k4[f5] = m(o5.type, o5.props, o5.key, o5.ref, o5.__v) : k4[f5] = o5, l4 = f5 + _3, o5.__ = n3, o5.__b = n3.__b + 1, e4 = null, ~(c4 = o5.__i = P(o5, r4, l4, d4)) && (d4--, (e4 = r4[c4]) && (e4.__u |= 2)), e4 && e4.__v ? (o5.__u |= 16, c4 == l4 - 1 ? _3-- : c4 == l4 + 1 ? _3++ : c4 != l4 && (c4 > l4 ? _3-- : _3++, g5 = 1)) : (~c4 || (i4 > v4 ? _3-- : i4 < v4 && _3++), "function" != typeof o5.type && (o5.__u |= 4))) : k4[f5] = null;
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
  var s4, p5, v4, d4, k4, b3, m5, M2, C3, j4, L2, H2, q2, A4, O2, P3, T4, N2, V2 = r4.type;
  if (r4.constructor !== h) return null;
  128 & u4.__u && (c4 = 32 & u4.__u, s4 = u4.__c.__z) && (r4.__u |= c4, p5 = o5 = [], 8 == s4.nodeType ? l4 = B(s4, o5) : o5.push(s4), l4 = o5[0] || l4), (s4 = n.__b) && s4(r4);
  n: if ("function" == typeof V2) {
    v4 = e4.length;
    try {
      if (M2 = r4.props, C3 = (s4 = V2.prototype) && s4.render, j4 = (s4 = V2.contextType) && i4[s4.__c], L2 = s4 ? j4 ? j4.props.value : s4.__ : i4, (d4 = u4.__c) ? (r4.__c = d4, 2 & d4.__g && (d4.__g |= 1)) : (C3 ? r4.__c = d4 = new V2(M2, L2) : (r4.__c = d4 = new x(M2, L2), d4.constructor = V2, d4.render = K), j4 && j4.sub(d4), d4.state || (d4.state = {}), d4.__n = i4, d4.__g |= 8, d4.__h = [], d4.__k = []), C3 && (d4.__s || (d4.__s = d4.state), V2.getDerivedStateFromProps && (d4.__s == d4.state && (d4.__s = _({}, d4.__s)), _(d4.__s, V2.getDerivedStateFromProps(M2, d4.__s)))), k4 = d4.props, b3 = d4.state, d4.__v = r4, u4.__c) {
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
      d4.context = L2, d4.props = M2, d4.__P = t6, d4.__g &= -5, H2 = n.__r, q2 = C3 ? 25 : 0;
      do {
        d4.__g &= -9, H2 && H2(r4), s4 = d4.render(d4.props, d4.state = d4.__s, d4.context);
      } while (8 & d4.__g && ++q2 < 25);
      C3 && (y.push.apply(d4.__h, d4.__k), d4.__k = []), d4.state = d4.__s, d4.getChildContext && (i4 = _({}, i4, d4.getChildContext())), C3 && u4.__c && d4.getSnapshotBeforeUpdate && (m5 = d4.getSnapshotBeforeUpdate(k4, b3)), A4 = s4 && s4.type === $ && null == s4.key ? s4.props.children : s4, M2.__P && (s4 = l4, f5 = (t6 = M2.__P).namespaceURI, c4 = o5 = null, u4.props && u4.props.__P != t6 && (u4.__k.some(function(n3) {
        n3 && J(n3, n3);
      }), u4.__k = null), l4 = u4.__k ? S(u4, 0) : null), l4 = I(t6, w(A4) ? A4 : [A4], r4, u4, i4, f5, o5, e4, l4, c4, a5), M2.__P && (r4.__e = null, l4 = s4), r4.__u &= -161, p5 && p5.some(g), d4.__h.length && e4.push(d4), 1 & d4.__g && (d4.__g &= -4);
    } catch (t7) {
      if (e4.length = v4, r4.__v = null, c4 || o5) if (t7 && t7.then) {
        if (r4.__u |= 128 | c4, o5) {
          for (~(T4 = o5.indexOf(l4 || void 0)) || (T4 = o5.length); (N2 = o5[T4 - 1]) && 8 == N2.nodeType; ) T4--;
          for (; T4 < o5.length; T4++) if (N2 = o5[T4]) if (o5[T4] = null, O2) {
            if (N2 == P3) break;
          } else {
            if (8 != N2.nodeType) break;
            N2.data.startsWith("$s") && (P3 = B(O2 = N2));
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
  var s4, h5, y5, _3, k4, b3, m5, M2, $2 = u4.props || p, x3 = r4.props, C3 = r4.type;
  if ("svg" == C3 ? f5 = "http://www.w3.org/2000/svg" : "math" == C3 ? f5 = "http://www.w3.org/1998/Math/MathML" : f5 || (f5 = "http://www.w3.org/1999/xhtml"), o5) {
    for (s4 = 0; s4 < o5.length; s4++) if ((k4 = o5[s4]) && (C3 ? k4.localName == C3 : 3 == k4.nodeType)) {
      t6 = k4, o5[s4] = null;
      break;
    }
  }
  if (!t6) {
    if (M2 = a5.ownerDocument || document, !C3) return M2.createTextNode(x3);
    t6 = M2.createElementNS(f5, C3, x3.is ? x3 : a5), l4 && (n.__m && n.__m(r4, o5), l4 = false), o5 = null;
  }
  if (C3) {
    if (a5 = "template" == C3 && t6.content || t6, o5 = "textarea" == C3 && null != x3.defaultValue ? null : o5 && d.call(a5.childNodes), !l4 && o5) for ($2 = {}, s4 = 0; s4 < t6.attributes.length; s4++) $2[(k4 = t6.attributes[s4]).name] = k4.value;
    for (s4 in $2) k4 = $2[s4], "children" == s4 || s4 in x3 || "value" == s4 && "defaultValue" in x3 || "checked" == s4 && "defaultChecked" in x3 || N(t6, s4, null, k4, f5);
    for (s4 in x3) k4 = x3[s4], "children" == s4 ? _3 = k4 : "value" == s4 ? b3 = k4 : "checked" == s4 ? m5 = k4 : l4 && "function" != typeof k4 || $2[s4] === k4 || N(t6, s4, k4, $2[s4], f5);
    y5 && (t6.textContent = ""), ("foreignObject" == C3 || "http://www.w3.org/1998/Math/MathML" == f5 && v.test(C3)) && (f5 = "http://www.w3.org/1999/xhtml"), I(a5, w(_3) ? _3 : [_3], r4, u4, i4, f5, o5, e4, o5 ? o5[0] : u4.__k && S(u4, 0), l4, c4), o5 && o5.some(g), l4 && "textarea" != C3 || (s4 = "value", "progress" == C3 && null == b3 ? t6.removeAttribute(s4) : null == b3 || b3 === t6[s4] && ("progress" != C3 || b3) || N(t6, s4, b3, $2[s4], f5), s4 = "checked", null != m5 && m5 != t6[s4] && N(t6, s4, m5, $2[s4], f5));
  } else $2 === x3 || l4 && t6.data == x3 || (t6.data = x3);
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
function U(n3) {
  function t6(n4) {
    var r4, u4;
    return this.getChildContext || (r4 = /* @__PURE__ */ new Set(), (u4 = {})[t6.__c] = this, this.getChildContext = function() {
      return u4;
    }, this.shouldComponentUpdate = function(n5) {
      this.props.value != n5.value && r4.forEach(function(n6) {
        n6.__g |= 4, L(n6);
      });
    }, this.sub = function(n5) {
      r4.add(n5);
      var t7 = n5.componentWillUnmount;
      n5.componentWillUnmount = function() {
        r4.delete(n5), t7 && t7.call(n5);
      };
    }), n4.children;
  }
  return t6.__c = "__cC" + s++, t6.__ = n3, t6.Provider = (t6.Consumer = function(n4, t7) {
    return n4.children(t7);
  }).contextType = t6, t6;
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
function T2(n3) {
  return f2 = 5, w2(function() {
    return { current: n3 };
  }, []);
}
function w2(n3, r4) {
  var u4 = y2(t2++, 7);
  return E2(u4.__H, r4) && (u4.__ = n3(), u4.__H = r4), u4.__;
}
function j2(n3) {
  var u4 = r2.context[n3.__c], i4 = y2(t2++, 9);
  return i4.c = n3, u4 ? (null == i4.__ && (i4.__ = true, u4.sub(r2)), u4.props.value) : n3.__;
}
function P2() {
  var n3 = y2(t2++, 11);
  if (!n3.__) {
    for (var u4 = r2.__v; !u4.__m && u4.__; ) u4 = u4.__;
    var i4 = u4.__m || (u4.__m = [0, 0]);
    n3.__ = "P" + i4[0] + "-" + i4[1]++;
  }
  return n3.__;
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
function j3(i4, t6) {
  l3.call(this, void 0, t6);
  this.x = i4;
  this.s = void 0;
  this.g = a3 - 1;
  this.f = 4;
}
j3.prototype = new l3();
j3.prototype.h = function() {
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
j3.prototype.S = function(i4) {
  if (void 0 === this.t) {
    this.f |= 36;
    for (var t6 = this.s; void 0 !== t6; t6 = t6.n) t6.S.S(t6);
  }
  l3.prototype.S.call(this, i4);
};
j3.prototype.U = function(i4) {
  if (void 0 !== this.t) {
    l3.prototype.U.call(this, i4);
    if (void 0 === this.t) {
      this.f &= -33;
      for (var t6 = this.s; void 0 !== t6; t6 = t6.n) t6.S.U(t6);
    }
  }
};
j3.prototype.N = function() {
  if (!(2 & this.f)) {
    this.f |= 6;
    for (var i4 = this.t; void 0 !== i4; i4 = i4.x) i4.t.N();
  }
};
Object.defineProperty(j3.prototype, "value", { get: function() {
  if (1 & this.f) throw new Error("Cycle detected");
  var i4 = d2(this);
  this.h();
  if (void 0 !== i4) i4.i = this.i;
  if (16 & this.f) throw this.v;
  return this.v;
} });
function O(i4, t6) {
  return new j3(i4, t6);
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
    this.N = M;
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

// src/settings.ts
function choice(key, allowed, first) {
  const old = kept(key);
  const made2 = y3(old !== null && allowed.includes(old) ? old : first);
  let before2 = made2.value;
  x2(() => {
    if (made2.value !== before2) keep(key, made2.value);
    before2 = made2.value;
  });
  return made2;
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

// src/site/go.ts
var read = () => ({ path: location.pathname, query: new URLSearchParams(location.search) });
var here = y3(read());
var turns = y3(0);
function go(to, how = "push") {
  if (how === "push") history.pushState(null, "", to);
  else history.replaceState(null, "", to);
  const before2 = here.value.path;
  here.value = read();
  if (here.value.path === before2) return;
  turns.value++;
  scrollTo(0, 0);
}
var served = /^\/(?:api|web)\//;
function pressed(event) {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target !== "" || link.hasAttribute("download") || link.origin !== location.origin || served.test(link.pathname)) return;
  if (link.hash !== "" && link.pathname === location.pathname && link.search === location.search) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}
function followLinks() {
  document.addEventListener("click", pressed);
  addEventListener("popstate", () => {
    here.value = read();
    turns.value++;
  });
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

// src/parts/shown.ts
var hidden = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/g;
var joined = /(\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]*)\u200D(?=\p{Extended_Pictographic})/gu;
var joinMark = "";
function shown(text) {
  hidden.lastIndex = 0;
  if (!hidden.test(text)) return text;
  return text.replace(joined, `$1${joinMark}`).replace(hidden, "�").replaceAll(joinMark, "‍");
}

// src/base.ts
var base = "/web/";

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
      return text.replace(/\{(\w+)\}/g, (whole, name2) => {
        const value = places[name2];
        return value === void 0 ? whole : typeof value === "number" ? num(value) : value;
      });
    },
    tn: (key, places) => row(key).split(/\{(\w+)\}/).map((part, i4) => i4 % 2 === 0 ? part : places[part])
  };
}

// src/words_shared.ts
var sharedWords = {
  siteName: ["Werewolf", "人狼"],
  toHome: ["To the start page", "最初のページへ"],
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
  home ? /* @__PURE__ */ a4("a", { class: "brand", href: home, "aria-label": t4("toHome"), children: /* @__PURE__ */ a4(Mark, {}) }) : /* @__PURE__ */ a4("span", { class: "brand", children: /* @__PURE__ */ a4(Mark, {}) }),
  children,
  children === void 0 && /* @__PURE__ */ a4("span", { class: "space" }),
  /* @__PURE__ */ a4(LangButton, {}),
  /* @__PURE__ */ a4(ThemeButton, {})
] });

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

// src/site/words_site.ts
var siteWords = {
  contestSite: ["Werewolf contests", "人狼知能大会"],
  navContests: ["Contests", "大会"],
  navAdmin: ["Server", "サーバー"],
  navLogin: ["Log in", "ログイン"],
  skip: ["To the content", "本文へ"],
  lostLine: ["The server does not answer. Trying again; what you wrote is kept.", "サーバーが応答しません。再試行しています。入力した内容は保存されています。"],
  missingTitle: ["Nothing is here", "ページがありません"],
  trouble404: ["There is nothing here, or nothing that you may see.", "存在しないか、閲覧できないページです。"],
  troubleNetwork: ["The server does not answer. What you wrote is kept; try again in a moment.", "サーバーが応答しません。入力した内容は保存されています。少し待ってからもう一度お試しください。"],
  troubleAnswer: ["The server gave an answer that is not understood ({status}).", "サーバーの応答を理解できませんでした({status})。"],
  needLogin: ["Log in to see this", "ログインが必要です"],
  optional: ["optional", "任意"],
  sending: ["Sending…", "送信中…"],
  inTime: ["in {time}", "{time}後"],
  agoTime: ["{time} ago", "{time}前"],
  done: ["Done.", "完了しました。"],
  // contests
  contestsNow: ["Going on", "開催中・準備中"],
  contestsPast: ["Past", "終了した大会"],
  noContests: ["No contest yet", "大会はまだありません"],
  noContestsText: ["Contests appear here when an organiser announces them.", "主催者が発表した大会がここに表示されます。"],
  noContestsAdmin: ["Make the first one under “Server”.", "「サーバー」から最初の大会を作成できます。"],
  divisionNlp: ["Natural-language division", "自然言語部門"],
  divisionProtocol: ["Protocol division", "プロトコル部門"],
  teamsN: ["{n} team|{n} teams", "{n}チーム"],
  yourTeam: ["your team: {team}", "あなたのチーム：{team}"],
  paused: ["paused", "一時停止"],
  state_DRAFT: ["in preparation", "準備中"],
  state_OPEN: ["open for entries", "参加受付中"],
  state_FROZEN: ["entries closed", "受付終了"],
  state_PRELIMINARY: ["preliminary", "予選"],
  state_REVISION: ["revision", "改訂期間"],
  state_FINAL: ["final", "決勝"],
  state_JUDGING: ["judging", "審査"],
  state_APPEALS: ["appeals", "異議申立て"],
  state_PUBLISHED: ["published", "結果公開"],
  state_ARCHIVED: ["archived", "保管済み"],
  state_CANCELLED: ["cancelled", "中止"],
  begins_DRAFT: ["Prepared", "準備"],
  begins_OPEN: ["Opens", "受付開始"],
  begins_FROZEN: ["Submissions close", "提出締切"],
  begins_PRELIMINARY: ["Preliminary begins", "予選開始"],
  begins_REVISION: ["Preliminary ends, revision begins", "予選終了・改訂開始"],
  begins_FINAL: ["Final begins", "決勝開始"],
  begins_JUDGING: ["Judging begins", "審査開始"],
  begins_APPEALS: ["Provisional ranking, appeals", "暫定順位・異議申立て"],
  begins_PUBLISHED: ["Final ranking published", "最終順位の公開"],
  begins_ARCHIVED: ["Archived", "保管"],
  begins_CANCELLED: ["Cancelled", "中止"],
  // accounts
  loginName: ["Login", "ログイン名"],
  password: ["Password", "パスワード"],
  registerTitle: ["Register", "登録"],
  forgotten: ["Password forgotten?", "パスワードをお忘れですか？"],
  loggedInAs: ["You are logged in as {name}.", "{name} としてログインしています。"]
};

// src/site/words.ts
var table = { ...sharedWords, ...siteWords };
var { t: t5, tn } = wording(table);
function both(text) {
  if (!text) return "";
  if (typeof text === "string") return text;
  return (lang.value === "ja" ? text.ja || text.en : text.en || text.ja) ?? "";
}

// src/site/ask.ts
var api = "/api/v1/";
var lost = y3(false);
var csrf = "";
var setCsrf = (token) => {
  csrf = token;
};
function headersFor(type) {
  const made2 = { Accept: "application/json", "Accept-Language": lang.value };
  if (type !== void 0) made2["Content-Type"] = type;
  if (csrf) made2["X-Warg-Token"] = csrf;
  return made2;
}
function fieldOf(error) {
  const inside = error.body?.error?.field;
  return typeof inside === "string" ? inside : "";
}
function taken(status, text) {
  let body = null;
  try {
    body = text === "" ? null : JSON.parse(text);
  } catch {
    throw new ApiError(status, "not-json", t5("troubleAnswer", { status: String(status) }));
  }
  if (status >= 200 && status < 300) return body;
  const error = body?.error;
  throw new ApiError(status, error?.code ?? "http", error?.text ?? t5("troubleAnswer", { status: String(status) }), body);
}
async function sent(path, how) {
  try {
    const answer = await fetch(path.startsWith("/") ? path : api + path, { credentials: "same-origin", ...how });
    lost.value = false;
    return answer;
  } catch {
    lost.value = true;
    throw new ApiError(0, "network", t5("troubleNetwork"));
  }
}
async function ask(method, path, body) {
  const how = { method, headers: headersFor(body === void 0 && method !== "POST" ? void 0 : "application/json") };
  if (method !== "GET" && (body !== void 0 || method === "POST")) how.body = JSON.stringify(body ?? {});
  const answer = await sent(path, how);
  return taken(answer.status, await answer.text());
}
var get = (path) => ask("GET", path);
var asTrouble = (error) => error instanceof ApiError ? error : new ApiError(-1, "page", error instanceof Error ? error.message : String(error));

// src/site/loaded.ts
var before = /* @__PURE__ */ new Map();
var forgetAll = () => before.clear();
var pauseOf = (tries) => Math.min(3e4, 2e3 * 2 ** Math.min(tries, 10));
function useLoaded(path) {
  const loaded = w2(() => {
    const value = y3(before.get(path) ?? null);
    const trouble = y3(null);
    let serial = 0;
    let tries = 0;
    let timer;
    const again = () => {
      if (path === "") return;
      const mine = ++serial;
      clearTimeout(timer);
      get(path).then(
        (got) => {
          if (mine !== serial) return;
          tries = 0;
          before.set(path, got);
          value.value = got;
          trouble.value = null;
        },
        (error) => {
          if (mine !== serial) return;
          trouble.value = asTrouble(error);
          if (trouble.value.status === 0 || trouble.value.status === 503) timer = setTimeout(again, pauseOf(tries++));
          else if (trouble.value.status > 0) {
            before.delete(path);
            value.value = null;
          }
        }
      );
    };
    const stop = () => {
      serial++;
      clearTimeout(timer);
    };
    return { value, trouble, again, stop };
  }, [path]);
  A2(() => {
    loaded.again();
    addEventListener("online", loaded.again);
    return () => {
      loaded.stop();
      removeEventListener("online", loaded.again);
    };
  }, [loaded]);
  return loaded;
}

// src/site/me.ts
var me = y3(void 0);
function take(now) {
  if ((me.value?.id ?? "") !== (now?.id ?? "")) forgetAll();
  setCsrf(now?.csrf ?? "");
  me.value = now;
}
async function findMe() {
  try {
    take(await get("account"));
  } catch (error) {
    const trouble = asTrouble(error);
    if (trouble.status === 401) take(null);
    else if (me.value === void 0) setTimeout(() => void findMe(), 3e3);
  }
}
async function logIn(login, password) {
  await ask("POST", "login", { login, password });
  await findMe();
  if (!me.value) throw new ApiError(-1, "cookie", "cookie");
}

// src/site/Frame.tsx
var Lost = () => /* @__PURE__ */ a4("div", { class: "lost", role: "status", hidden: !lost.value, children: lost.value && t5("lostLine") });
var toLogin = () => here.value.path === "/" || here.value.path === "/login" ? "/login" : `/login?to=${encodeURIComponent(here.value.path)}`;
function SiteNav() {
  const at = (path) => here.value.path === path ? "page" : void 0;
  return /* @__PURE__ */ a4("nav", { class: "sitenav", "aria-label": t5("nav"), children: [
    /* @__PURE__ */ a4("a", { href: "/", "aria-current": at("/"), children: t5("navContests") }),
    me.value?.admin && /* @__PURE__ */ a4("a", { href: "/admin", "aria-current": at("/admin"), children: t5("navAdmin") }),
    me.value && /* @__PURE__ */ a4("a", { href: "/account", "aria-current": at("/account"), children: /* @__PURE__ */ a4("bdi", { children: shown(me.value.name || me.value.login) }) }),
    me.value === null && /* @__PURE__ */ a4("a", { href: toLogin(), "aria-current": at("/login"), children: t5("navLogin") })
  ] });
}
function Frame({ title, heading, below, narrow, wide, children }) {
  const head = T2(null);
  A2(() => {
    document.title = title ? `${shown(title)} · ${t5("contestSite")}` : t5("contestSite");
  });
  A2(() => {
    if (turns.value > 0) head.current?.focus({ preventScroll: true });
  }, [turns.value]);
  return /* @__PURE__ */ a4("div", { class: "screen", children: [
    /* @__PURE__ */ a4("a", { class: "skip", href: "#main", children: t5("skip") }),
    /* @__PURE__ */ a4(TopBar, { home: "/", children: [
      /* @__PURE__ */ a4("h1", { class: "title", tabIndex: -1, ref: head, children: heading ?? /* @__PURE__ */ a4("bdi", { children: shown(title) }) }),
      /* @__PURE__ */ a4("span", { class: "space" }),
      /* @__PURE__ */ a4(SiteNav, {})
    ] }),
    below,
    /* @__PURE__ */ a4("main", { id: "main", tabIndex: -1, class: wide ? "page wide" : narrow ? "page narrow" : "page", children })
  ] });
}
function sentence(trouble) {
  if (trouble.status === 0) return t5("troubleNetwork");
  if (trouble.status === 404) return t5("trouble404");
  return shown(trouble.message);
}
var Trouble = ({ trouble, again }) => /* @__PURE__ */ a4("div", { class: "blank", role: "alert", children: [
  /* @__PURE__ */ a4(Mark, {}),
  /* @__PURE__ */ a4("h2", { children: t5("troubleTitle") }),
  /* @__PURE__ */ a4("p", { children: sentence(trouble) }),
  /* @__PURE__ */ a4("p", { class: "acts", children: [
    trouble.status === 401 && /* @__PURE__ */ a4("a", { class: "button strong", href: toLogin(), children: t5("navLogin") }),
    again && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: again, children: t5("tryAgain") }),
    /* @__PURE__ */ a4("a", { class: "button", href: "/", children: t5("toHome") })
  ] })
] });
function When({ of, children }) {
  if (of.value.value !== null) return /* @__PURE__ */ a4($, { children: children(of.value.value) });
  if (of.trouble.value) return /* @__PURE__ */ a4(Trouble, { trouble: of.trouble.value, again: of.again });
  return /* @__PURE__ */ a4(Loading, {});
}
var Block = ({ title, tools, id, children }) => /* @__PURE__ */ a4("section", { class: "block", id, children: [
  /* @__PURE__ */ a4("div", { class: "block-head", children: [
    /* @__PURE__ */ a4("h2", { children: title }),
    tools
  ] }),
  children
] });

// src/site/route.ts
var alone = ["login", "register", "account", "admin"];
var withSecret = ["reset", "invite"];
var inContest = ["teams", "standings", "games", "ledger", "organise", "judge"];
var withId = { team: "team", judge: "sheet", games: "game" };
var contestName = /^[a-z0-9-]{2,32}$/;
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
function placeOf(path) {
  const parts = path.split("/").filter((part) => part !== "").map(decoded);
  const [first = "", second = "", third = ""] = parts;
  const made2 = (page, contest = "", id = "") => ({ page, contest, id });
  if (parts.length === 0) return made2("home");
  if (alone.includes(first)) return made2(parts.length === 1 ? first : "missing");
  if (withSecret.includes(first)) return made2(parts.length <= 2 ? first : "missing", "", second);
  if (!contestName.test(first)) return made2("missing");
  if (parts.length === 1) return made2("contest", first);
  if (parts.length === 2 && inContest.includes(second)) return made2(second, first);
  if (parts.length === 3 && Object.hasOwn(withId, second)) return made2(withId[second], first, third);
  return made2("missing");
}
var pathTo = (...parts) => `/${parts.map(encodeURIComponent).join("/")}`;

// src/times.ts
function spanText(ms) {
  const [value, unit] = ms < 9e4 ? [ms / 1e3, "second"] : ms < 54e5 ? [ms / 6e4, "minute"] : ms < 1296e5 ? [ms / 36e5, "hour"] : [ms / 864e5, "day"];
  return new Intl.NumberFormat(lang.value === "ja" ? "ja-JP" : "en", { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 0 }).format(value);
}

// src/site/dates.ts
var made = /* @__PURE__ */ new Map();
function format(zone, options) {
  const key = `${lang.value} ${zone ?? ""} ${JSON.stringify(options)}`;
  const old = made.get(key);
  if (old) return old;
  const fresh = new Intl.DateTimeFormat(lang.value === "ja" ? "ja-JP" : "en-GB", { ...options, ...zone ? { timeZone: zone } : {} });
  made.set(key, fresh);
  return fresh;
}
function knownZone(zone) {
  if (!zone) return false;
  try {
    format(zone, {});
    return true;
  } catch {
    return false;
  }
}
var long = { weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" };
var dateText = (ms, zone) => format(knownZone(zone) ? zone : void 0, long).format(ms);
function offsetAt(zone, ms) {
  const fields = new Intl.DateTimeFormat("en-US", { timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" }).formatToParts(ms);
  const field = (type) => Number(fields.find((each) => each.type === type)?.value);
  return Date.UTC(field("year"), field("month") - 1, field("day"), field("hour"), field("minute"), field("second")) - Math.floor(ms / 1e3) * 1e3;
}
var readersZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;
var msOf = (text) => text ? Date.parse(text) : NaN;
var zoneOf = (contest) => contest.zone ?? contest.dates?.["zone"] ?? "UTC";
var begins = [
  ["OPEN", "opens"],
  ["FROZEN", "submission_closes"],
  ["PRELIMINARY", "preliminary"],
  ["REVISION", "preliminary_stops"],
  ["FINAL", "revision_closes"],
  ["JUDGING", "final_stops"],
  ["APPEALS", "judging_closes"],
  ["PUBLISHED", "appeals_close"],
  ["ARCHIVED", "retention_ends"]
];
var order = ["DRAFT", "OPEN", "FROZEN", "PRELIMINARY", "REVISION", "FINAL", "JUDGING", "APPEALS", "PUBLISHED", "ARCHIVED"];
function courseOf(contest) {
  const dates = contest.dates ?? {};
  const preliminary = contest.stages ? contest.stages.length > 1 || "preliminary_stops" in dates : "preliminary_stops" in dates;
  const judged = (contest.tracks?.length ?? 0) > 0 || "judging_closes" in dates;
  const at = order.indexOf(contest.state);
  return order.slice(1, -1).filter((state) => state === contest.state || (preliminary || state !== "PRELIMINARY" && state !== "REVISION") && (judged || state !== "JUDGING")).map((state) => {
    let date = begins.find(([each]) => each === state)?.[1] ?? "";
    if (state === "FINAL" && !preliminary) date = "preliminary";
    if (state === "APPEALS" && !judged) date = "final_stops";
    return { state, date, ms: msOf(dates[date]), done: at > order.indexOf(state), now: contest.state === state };
  });
}
function nextDate(contest, now) {
  if (contest.state === "CANCELLED") return void 0;
  return courseOf(contest).find((step) => !step.done && !step.now && step.ms > now);
}

// src/site/Moment.tsx
function Moment({ at, zone }) {
  const ms = typeof at === "number" ? at : msOf(at);
  if (Number.isNaN(ms)) return null;
  const other = knownZone(zone) && offsetAt(zone, ms) !== offsetAt(readersZone(), ms);
  return /* @__PURE__ */ a4("span", { class: "moment", children: [
    /* @__PURE__ */ a4("time", { dateTime: new Date(ms).toISOString(), children: dateText(ms) }),
    other && /* @__PURE__ */ a4("span", { class: "note", children: [
      " · ",
      dateText(ms, zone)
    ] })
  ] });
}

// src/site/StatePill.tsx
var StatePill = ({ contest }) => /* @__PURE__ */ a4("span", { class: "pills", children: [
  contest.paused && /* @__PURE__ */ a4("span", { class: "pill warn", children: t5("paused") }),
  /* @__PURE__ */ a4("span", { class: `pill at-${contest.state}`, children: t5(`state_${contest.state}`) })
] });

// src/site/pages/Home.tsx
var titleOf = (contest) => both(contest.title) || contest.name;
function Line({ contest }) {
  const next = nextDate(contest, Date.now());
  const mine = me.value?.teams.find((each) => each.contest === contest.name);
  return /* @__PURE__ */ a4("li", { class: "item", children: [
    /* @__PURE__ */ a4("a", { class: "item-main", href: pathTo(contest.name), children: [
      /* @__PURE__ */ a4("bdi", { class: "item-name", children: shown(titleOf(contest)) }),
      /* @__PURE__ */ a4("span", { class: "note", children: [
        t5(contest.division === "nlp" ? "divisionNlp" : "divisionProtocol"),
        contest.teams !== void 0 && /* @__PURE__ */ a4($, { children: [
          " · ",
          t5("teamsN", { n: contest.teams })
        ] }),
        mine && /* @__PURE__ */ a4($, { children: [
          " · ",
          t5("yourTeam", { team: shown(mine.team) })
        ] })
      ] }),
      next && /* @__PURE__ */ a4("span", { class: "note", children: [
        t5(`begins_${next.state}`),
        " ",
        /* @__PURE__ */ a4(Moment, { at: next.ms, zone: zoneOf(contest) }),
        " (",
        t5("inTime", { time: spanText(next.ms - Date.now()) }),
        ")"
      ] })
    ] }),
    /* @__PURE__ */ a4(StatePill, { contest })
  ] });
}
var over = (contest) => ["PUBLISHED", "ARCHIVED", "CANCELLED"].includes(contest.state);
function Lists({ contests }) {
  const going = contests.filter((each) => !over(each));
  const past = contests.filter(over);
  if (contests.length === 0) return /* @__PURE__ */ a4(Empty, { title: t5("noContests"), children: /* @__PURE__ */ a4("p", { children: t5(me.value?.admin ? "noContestsAdmin" : "noContestsText") }) });
  return /* @__PURE__ */ a4($, { children: [
    going.length > 0 && /* @__PURE__ */ a4(Block, { title: t5("contestsNow"), children: /* @__PURE__ */ a4("ul", { class: "items panel", children: going.map((each) => /* @__PURE__ */ a4(Line, { contest: each }, each.name)) }) }),
    past.length > 0 && /* @__PURE__ */ a4(Block, { title: t5("contestsPast"), children: /* @__PURE__ */ a4("ul", { class: "items panel", children: past.map((each) => /* @__PURE__ */ a4(Line, { contest: each }, each.name)) }) })
  ] });
}
function Home() {
  const contests = useLoaded("contests");
  return /* @__PURE__ */ a4(Frame, { title: t5("contestSite"), children: /* @__PURE__ */ a4(When, { of: contests, children: (list) => /* @__PURE__ */ a4(Lists, { contests: list.items }) }) });
}

// src/site/drafts.ts
var name = (key) => `draft.${key}`;
function draftOf(key) {
  try {
    const read2 = JSON.parse(kept(name(key)) ?? "{}");
    if (read2 === null || typeof read2 !== "object") return {};
    return Object.fromEntries(Object.entries(read2).filter((row) => typeof row[1] === "string"));
  } catch {
    return {};
  }
}
function keepDraft(key, values) {
  const written = Object.fromEntries(Object.entries(values).filter(([, text]) => text !== ""));
  if (Object.keys(written).length > 0) keep(name(key), JSON.stringify(written));
  else forgetDraft(key);
}
function forgetDraft(key) {
  try {
    localStorage.removeItem(`warg.${name(key)}`);
  } catch {
  }
}

// src/site/Form.tsx
var Here = U(null);
function useForm() {
  const inside = j2(Here);
  if (!inside) throw new Error("a field stands outside a form");
  return inside;
}
function Form({ onSend, button, children, draft, first = {}, danger, quiet, after, label, keepAfter }) {
  const id = P2();
  const form = T2(null);
  const values = useSignal({ ...first, ...draft ? draftOf(draft) : {} });
  const trouble = useSignal(null);
  const busy = useSignal(false);
  const hidden2 = T2(/* @__PURE__ */ new Set()).current;
  const names = T2(/* @__PURE__ */ new Set()).current;
  const keepTyped = () => {
    if (!draft) return;
    const typed = Object.entries(values.value).filter(([name2, text]) => !hidden2.has(name2) && text !== (first[name2] ?? ""));
    keepDraft(draft, Object.fromEntries(typed));
  };
  const inside = {
    values,
    trouble,
    names,
    id,
    set: (name2, value, secret) => {
      if (secret) hidden2.add(name2);
      values.value = { ...values.value, [name2]: value };
      keepTyped();
    }
  };
  const send = async () => {
    if (busy.value) return;
    busy.value = true;
    trouble.value = null;
    try {
      const text = await onSend(values.value);
      if (draft) forgetDraft(draft);
      if (!keepAfter) values.value = { ...first };
      if (text) toast(text);
    } catch (error) {
      trouble.value = asTrouble(error);
      requestAnimationFrame(() => form.current?.querySelector("[aria-invalid=true],.form-trouble")?.focus());
    } finally {
      busy.value = false;
    }
  };
  const at = trouble.value ? fieldOf(trouble.value) : "";
  return /* @__PURE__ */ a4(Here.Provider, { value: inside, children: /* @__PURE__ */ a4("form", { class: "form", ref: form, noValidate: false, "aria-label": label, onSubmit: (event) => {
    event.preventDefault();
    void send();
  }, children: [
    trouble.value && (at === "" || !names.has(at)) && /* @__PURE__ */ a4("p", { class: "form-trouble", role: "alert", tabIndex: -1, children: shown(trouble.value.message) }),
    children,
    /* @__PURE__ */ a4("p", { class: "acts middle", children: [
      /* @__PURE__ */ a4("button", { type: "submit", class: danger ? "button danger" : quiet ? "button" : "button strong", "aria-disabled": busy.value, children: busy.value ? t5("sending") : button }),
      after
    ] })
  ] }) });
}
function Field(props) {
  const { name: name2, label, hint, type = "text", required, rows, options, mono, wide } = props;
  const { values, trouble, names, id, set } = useForm();
  A2(() => {
    names.add(name2);
    return () => void names.delete(name2);
  }, [name2]);
  names.add(name2);
  const wrong = trouble.value && fieldOf(trouble.value) === name2 ? trouble.value.message : "";
  const here2 = `${id}-${name2}`;
  const value = values.value[name2] ?? "";
  const told = [hint ? `${here2}-hint` : "", wrong ? `${here2}-wrong` : ""].filter(Boolean).join(" ");
  const common = {
    id: here2,
    name: name2,
    required: required === true,
    "aria-invalid": wrong ? "true" : "false",
    ...told ? { "aria-describedby": told } : {},
    onInput: (event) => set(name2, event.currentTarget.value, type === "password")
  };
  return /* @__PURE__ */ a4("div", { class: rows || wide ? "labelled whole" : "labelled", children: [
    /* @__PURE__ */ a4("label", { for: here2, children: [
      label,
      !required && !options && /* @__PURE__ */ a4("span", { class: "optional", children: [
        " ",
        t5("optional")
      ] })
    ] }),
    options ? /* @__PURE__ */ a4("select", { class: "field", ...common, value, children: options.map(([each, word]) => /* @__PURE__ */ a4("option", { value: each, children: word }, each)) }) : rows ? /* @__PURE__ */ a4("textarea", { class: mono ? "field area mono" : "field area", rows, ...common, value, maxLength: props.maxLength, spellcheck: !mono }) : /* @__PURE__ */ a4("input", { class: "field", type, ...common, value, maxLength: props.maxLength, minLength: props.minLength, min: props.min, max: props.max, pattern: props.pattern, placeholder: props.placeholder, autocomplete: props.autocomplete ?? "off", spellcheck: false, autocapitalize: "none" }),
    hint && /* @__PURE__ */ a4("span", { class: "hint", id: `${here2}-hint`, children: hint }),
    wrong && /* @__PURE__ */ a4("span", { class: "wrong", id: `${here2}-wrong`, children: shown(wrong) })
  ] });
}

// src/site/pages/Login.tsx
function backTo(query) {
  const to = query.get("to") ?? "/";
  return /^\/(?![/\\])[^\s\\]*$/.test(to) && !to.startsWith("/login") ? to : "/";
}
function Login() {
  return /* @__PURE__ */ a4(Frame, { title: t5("navLogin"), narrow: true, children: [
    me.value && /* @__PURE__ */ a4("p", { class: "lead", children: t5("loggedInAs", { name: me.value.login }) }),
    /* @__PURE__ */ a4("div", { class: "panel", children: /* @__PURE__ */ a4(Form, { button: t5("navLogin"), onSend: async (values) => {
      await logIn(values["login"] ?? "", values["password"] ?? "");
      go(backTo(here.value.query), "replace");
    }, children: [
      /* @__PURE__ */ a4(Field, { name: "login", label: t5("loginName"), required: true, autocomplete: "username" }),
      /* @__PURE__ */ a4(Field, { name: "password", label: t5("password"), type: "password", required: true, autocomplete: "current-password" })
    ] }) }),
    /* @__PURE__ */ a4("p", { class: "below", children: [
      /* @__PURE__ */ a4("a", { href: "/register", children: t5("registerTitle") }),
      /* @__PURE__ */ a4("a", { href: "/reset", children: t5("forgotten") })
    ] })
  ] });
}

// src/site/pages/Missing.tsx
var Missing = () => /* @__PURE__ */ a4(Frame, { title: t5("missingTitle"), children: /* @__PURE__ */ a4("div", { class: "blank", children: [
  /* @__PURE__ */ a4(Mark, {}),
  /* @__PURE__ */ a4("p", { children: t5("trouble404") }),
  /* @__PURE__ */ a4("p", { class: "acts", children: /* @__PURE__ */ a4("a", { class: "button strong", href: "/", children: t5("toHome") }) })
] }) });

// src/site/Site.tsx
var pages = {
  home: Home,
  login: Login
};
function Site() {
  A2(() => void findMe(), []);
  const { page, contest, id } = placeOf(here.value.path);
  const Page = pages[page] ?? Missing;
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4(Lost, {}),
    /* @__PURE__ */ a4(Page, { contest, id }, `${page} ${contest} ${id}`),
    /* @__PURE__ */ a4(Toasts, {})
  ] });
}

// src/site/main.tsx
applySettings();
followLinks();
var place = document.getElementById("site") ?? document.body.appendChild(document.createElement("div"));
place.id = "site";
Q(/* @__PURE__ */ a4(Site, {}), place);
