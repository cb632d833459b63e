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
var read = () => {
  const { pathname, search } = typeof location === "undefined" ? { pathname: "/", search: "" } : location;
  return { path: pathname, query: new URLSearchParams(search) };
};
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
var served = /^\/(?:api|web)\/|^\/[^/]+\/games\/[^/]+\/watch$/;
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
    const before2 = here.value;
    const now = read();
    if (now.path === before2.path && now.query.toString() === before2.query.toString()) return;
    here.value = now;
    if (now.path !== before2.path) turns.value++;
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

// src/site/clock.ts
var ahead = y3(0);
var HEARD_MS = 2e3;
function hearClock(text) {
  const heard = Date.parse(text ?? "") - Date.now();
  if (Math.abs(heard - ahead.value) > HEARD_MS) ahead.value = heard;
}
var siteNow = () => Date.now() + ahead.value;

// src/site/words_contest.ts
var contestWords = {
  tabContest: ["Contest", "大会"],
  tabTeams: ["Teams", "チーム"],
  tabStandings: ["Standings", "順位"],
  tabGames: ["Games", "ゲーム"],
  tabLedger: ["Ledger", "台帳"],
  tabTeam: ["My team", "自チーム"],
  tabJudge: ["Judge", "審査"],
  tabOrganise: ["Organise", "運営"],
  tabsLabel: ["Parts of the contest", "大会のページ"],
  pausedLine: ["– the organisers have paused the contest; dates wait.", "– 主催者が大会を一時停止しています。"],
  whatNow: ["What now", "現在の状況"],
  now_DRAFT: ["The organisers are still preparing this contest.", "主催者が大会を準備しています。"],
  now_OPEN: ["Teams register, hand in programs and play test games. As many versions as you like: the last that passed its check counts.", "チーム登録、プログラムの提出、テスト対戦ができます。何度でも提出でき、チェックに合格した最後の版が有効です。"],
  now_FROZEN: ["Entries are closed. Each team’s last version that passed will play; lots are opened now.", "受付は終了しました。各チームの合格した最後の版が対戦します。くじを開示する期間です。"],
  now_PRELIMINARY: ["Everybody plays until the stop. Who is how far ahead is in the standings; results never change when it stops.", "予選の対戦中です。順位は順位表にあります。結果によって終了時刻が変わることはありません。"],
  now_REVISION: ["Finalists may hand in a revision, and have to hand in source and description.", "決勝進出チームは改訂版を提出できます。ソースと解説文の提出が必要です。"],
  now_FINAL: ["The final is being played.", "決勝の対戦中です。"],
  now_JUDGING: ["Games are played. Judges read them without knowing whose agents they are.", "対戦は終了しました。審査員がどのチームのものか知らされずに審査しています。"],
  now_APPEALS: ["The ranking is provisional. Teams may appeal until the date below.", "順位は暫定です。期日まで異議を申し立てられます。"],
  now_PUBLISHED: ["The ranking is final. All games and proofs are published: anybody can check them.", "順位が確定しました。全ゲームと証明が公開され、誰でも検証できます。"],
  now_ARCHIVED: ["The contest is over. Personal data is gone; games and proofs stay.", "大会は終了しました。個人情報は消去され、ゲームと証明は残ります。"],
  now_CANCELLED: ["The contest was cancelled.", "大会は中止されました。"],
  stepRegister: ["Register", "参加登録"],
  stepTeam: ["Register a team", "チームを登録"],
  stepUpload: ["Hand in a version", "版を提出"],
  stepConnect: ["Connect my agent", "エージェントを接続"],
  stepDocuments: ["Hand in source and description", "ソースと解説文を提出"],
  stepAppeal: ["Findings and appeals", "違反と異議申立て"],
  stepJudge: ["To my sheets", "審査シートへ"],
  stepStandings: ["Standings", "順位表"],
  stepCheck: ["Check it yourself", "自分で検証する"],
  dates: ["Dates", "日程"],
  datesZones: ["your time: {yours} · contest: {theirs}", "あなたの時間帯：{yours}・大会：{theirs}"],
  dateOpen: ["no date: when the organisers say so", "期日なし：主催者が決めます"],
  itIsNow: ["now", "現在"],
  howToEnter: ["How to enter", "参加方法"],
  enter1: ["Register: an account and a team in one form.", "登録：一つのフォームでアカウントとチームを作成します。"],
  enter1Approve: ["Register an account and a team; the organisers approve it.", "アカウントとチームを登録し、主催者の承認を受けます。"],
  enterMembers: ["Up to {n} member.|Up to {n} members.", "{n}人まで。"],
  enter2: ["Hand in your agent:", "エージェントを提出："],
  enter3: ["The check plays with it in every role, in a minute or so, and says step by step what to change.", "チェックは約1分で全役職を試し、直すことを項目ごとに示します。"],
  enter4: ["What passed plays test games every day. Look at your logs, hand in a better version.", "合格した版は毎日テスト対戦に参加します。ログを見て改良版を提出してください。"],
  enterNlp2: ["Your agent runs at your place. The team page has its address and a token; connect it and play against yourself.", "エージェントは手元で動かします。チームページのアドレスとトークンで接続し、自己対戦してください。"],
  enterNlp3: ["Some self-matches without errors qualify you.", "エラーなく自己対戦を終えると参加資格を得ます。"],
  enterNlp4: ["In each track’s window your agent has to be connected.", "各トラックの期間中は接続しておいてください。"],
  lang_java: ["Java", "Java"],
  lang_dotnet: [".NET", ".NET"],
  lang_python: ["Python", "Python"],
  lang_native: ["Program", "実行ファイル"],
  form_java: ["one .jar with everything inside, and the player class", "全てを含む .jar とプレイヤークラス"],
  form_dotnet: ["a .dll, or a .zip with TEAM.dll or a self-contained program", ".dll、または TEAM.dll か自己完結型プログラムを含む .zip"],
  form_python: ["a .zip with the script in TEAM/ or at its root", "TEAM/ か直下にスクリプトを含む .zip"],
  form_native: ["a .zip with a program for Linux or a #! script", "Linux用プログラムか #! スクリプトを含む .zip"],
  stages: ["Stage", "ステージ"],
  stagesTitle: ["Stages", "ステージ"],
  stage_preliminary: ["Preliminary", "予選"],
  stage_final: ["Final", "決勝"],
  stage_testing: ["Test games", "テスト対戦"],
  stage_evaluation: ["Pick of games for judges", "審査対象の抽選"],
  playersN: ["{n} players", "{n}人村"],
  minGames: ["at least {n} games each", "各{n}ゲーム以上"],
  advanceN: ["{n} advance", "{n}チーム進出"],
  requires: ["needs {what}", "必要：{what}"],
  doc_source: ["Source", "ソース"],
  doc_description: ["Description", "解説文"],
  tracks: ["Tracks", "トラック"],
  limits: ["Limits", "制限"],
  limitFile: ["File", "ファイル"],
  limitTree: ["Unpacked", "展開後"],
  limitEntries: ["Files in it", "ファイル数"],
  limitPerDay: ["Versions a day", "1日の提出数"],
  atHome: ["The same check at home", "手元で同じチェック"],
  atHomeText: ["The check that this server makes can be run on your own machine.", "このサーバーのチェックは手元の計算機でも実行できます。"],
  environment: ["What programs find here: machine, runtimes, limits", "実行環境：計算機・ランタイム・制限"],
  // teams, standings
  team: ["Team", "チーム"],
  noTeams: ["No team yet", "チームはまだありません"],
  organisersTeam: ["team of an organiser", "主催者のチーム"],
  versionN: ["version {n}", "第{n}版"],
  team_WAITING: ["waits for approval", "承認待ち"],
  team_IN: ["takes part", "参加"],
  team_WITHDRAWN: ["withdrawn", "辞退"],
  team_OUT: ["out", "失格・不参加"],
  rank: ["Rank", "順位"],
  rate: ["Win rate", "勝率"],
  interval: ["95 % interval", "95%区間"],
  wins: ["Wins", "勝ち"],
  games: ["Games", "ゲーム"],
  gamesN: ["{n} game|{n} games", "{n}ゲーム"],
  moreFigures: ["By role, and games needed to tell a team from the next", "役職別と、次のチームとの差の判定に必要なゲーム数"],
  gamesApart: ["Games to tell from the next", "次との判定に必要なゲーム数"],
  faults: ["Faults", "失敗"],
  eliminated: ["eliminated", "失格"],
  standingsTable: ["Standings", "順位表"],
  standingsNote: ["The win rate over all counted games decides, without weights; equal rates share a rank. The interval only shows how much chance is left.", "有効な全ゲームの勝率だけで決まり、重みはありません。同率は同順位です。区間は偶然の幅を示すだけです。"],
  noStandings: ["No counted game yet", "有効なゲームはまだありません"],
  noStandingsText: ["Standings appear with the first round.", "最初のラウンドの後に表示されます。"],
  // judges' scores
  scoresTitle: ["What judges say", "審査の結果"],
  scoresBy: ["Who judged", "審査した側"],
  scoresPeople: ["People", "審査員"],
  scoresTable: ["Scores of judges", "審査の得点"],
  scoresTotal: ["Mean place", "平均順位"],
  placeN: ["place {n}", "{n}位"],
  scoresAlpha: ["Agreement (alpha)", "一致度（α）"],
  scoresW: ["Agreement within a game (W)", "ゲームごとの一致度（W）"],
  scoresTau: ["Agreement with people (tau)", "審査員との一致度（τ）"],
  scoresRepeat: ["Agreement of its repeats (W)", "繰り返しの一致度（W）"],
  scoresPosition: ["Effect of the order shown", "表示順の影響"],
  scoresKeptOut: ["Not in the mean place, as it agrees with people too little: {what}.", "審査員との一致度が低いため平均順位に含めない項目：{what}。"],
  scoresNote: ["A score is the mean rank of a team’s players in the games that were judged, from 0, always the best, to 1, always the last. Nobody knew whose agents they were.", "得点は、審査されたゲームでの順位の平均です。0は常に最良、1は常に最下位を表します。誰のエージェントかは知らされていません。"],
  scoresNotePeople: ["The mean place is that over all criteria. Agreement is 1 when all judges say the same, 0 when it is chance.", "平均順位は全項目の順位の平均です。一致度は、全員が同じなら1、偶然と同じなら0です。"],
  scoresNoteModel: ["A language model has judged here, apart from people: the figures below the table tell how far to trust it.", "これは言語モデルによる審査で、審査員とは別に集計しています。表の下の数値が信頼性の目安です。"],
  criterion_A: ["natural expression", "自然な表現"],
  criterion_B: ["natural in context", "文脈に自然"],
  criterion_C: ["consistent", "一貫性"],
  criterion_D: ["acts by the dialogue", "行動と対話"],
  criterion_E: ["rich, fits the profile", "豊かさと人物像"],
  criterion_F: ["teamwork", "チームプレイ"],
  // games
  ownGames: ["Own games", "自チームのゲーム"],
  gameNumber: ["game {n}", "ゲーム{n}"],
  dayNumber: ["day {n}", "{n}日目"],
  notCounted: ["doesn’t count", "無効"],
  noGames: ["No game to see", "表示できるゲームはありません"],
  noGamesText: ["While a stage runs, a team sees its own games; all are open afterwards.", "ステージの進行中は自チームのゲームだけが見られ、終了後に全て公開されます。"],
  moreGames: ["More games", "もっと見る"],
  allGames: ["All games", "ゲーム一覧"],
  watchGame: ["Watch it", "観戦する"],
  gameOutput: ["What our program printed", "自チームのプログラムの出力"],
  gameOutputGone: ["What your program printed is no longer kept: it goes a year after the contest.", "自チームのプログラムの出力は、大会終了から1年が過ぎたため削除されました。"],
  gameNoLog: ["Its log is not to be had: it is for the teams that played, or for nobody until the contest is published.", "このゲームのログは見られません。対戦したチームだけが見られるか、大会の公開後に見られるようになります。"],
  seatSample: ["a sample agent", "サンプルエージェント"],
  gameLog: ["Log", "ログ"],
  gameExchange: ["Exchange record", "通信記録"],
  seats: ["Seats", "席"],
  seat: ["Seat", "席"],
  role: ["Role", "役職"],
  result: ["Result", "結果"],
  wonYes: ["won", "勝ち"],
  wonNo: ["lost", "負け"],
  won_VILLAGER: ["Villagers won", "村人陣営の勝ち"],
  won_WEREWOLF: ["Werewolves won", "人狼陣営の勝ち"],
  won_FOX: ["The fox won", "妖狐の勝ち"],
  role_VILLAGER: ["Villager", "村人"],
  role_SEER: ["Seer", "占い師"],
  role_MEDIUM: ["Medium", "霊媒師"],
  role_BODYGUARD: ["Bodyguard", "騎士"],
  role_POSSESSED: ["Possessed", "狂人"],
  role_WEREWOLF: ["Werewolf", "人狼"],
  role_FREEMASON: ["Freemason", "共有者"],
  role_FOX: ["Fox", "妖狐"],
  // ledger
  ledgerTitle: ["Ledger", "台帳"],
  ledgerText: ["Everything that decides the contest, in the order in which it happened. Nothing can be changed or left out later without the checkpoint telling.", "大会を決める全ての出来事を起きた順に記録します。後から変更や削除をすると、チェックポイントで分かります。"],
  entriesN: ["{n} entry|{n} entries", "{n}件"],
  ledgerEmpty: ["No entry yet", "記録はまだありません"],
  ledgerEarlier: ["Earlier entries", "これより前"],
  checkpoint: ["Checkpoint", "チェックポイント"],
  checkpointText: ["The server’s signature under the ledger as it is now. Whoever keeps a copy can show later that nothing was changed.", "現在の台帳に対するサーバーの署名です。写しを保存しておけば、変更がなかったことを後で確かめられます。"],
  noCheckpoint: ["There is no checkpoint yet.", "チェックポイントはまだありません。"],
  checkHere: ["Check it in this browser", "このブラウザで検証"],
  checking: ["Checking…", "検証中…"],
  checkGood: ["{n} entry, and they are those of the checkpoint.|All {n} entries are those of the checkpoint.", "{n}件すべてがチェックポイントと一致しました。"],
  checkBad: ["The ledger is not the one of its checkpoint!", "台帳がチェックポイントと一致しません！"],
  checkLong: ["This ledger is long: it may take a while.", "台帳が長いため、時間がかかることがあります。"],
  howToCheck: ["How to check everything", "全てを検証するには"],
  howToCheckText: ["With warg on your machine and no network: the draws, each game, the ranking and every ruling, from the published files.", "手元の warg で、通信なしに検証できます。抽選、各ゲーム、順位、全ての裁定を公開ファイルから確かめます。"],
  commandFetch: ["Fetch", "取得"],
  commandAudit: ["Check", "検証"],
  bundle: ["All of the contest (bundle)", "大会の全記録（バンドル）"],
  entry_contest: ["Contest", "大会"],
  entry_amend: ["Rules changed", "規則の変更"],
  entry_commit: ["Commitment to a secret", "秘密値のコミット"],
  entry_lot: ["Lot of a team", "チームのくじ"],
  entry_reveal: ["Secret revealed", "秘密値の公開"],
  entry_beacon: ["Public value", "公開値"],
  entry_state: ["State", "状態"],
  entry_pause: ["Pause", "一時停止"],
  entry_team: ["Team", "チーム"],
  entry_withdraw: ["Withdrawal", "辞退"],
  entry_version: ["Version", "版"],
  entry_freeze: ["Versions frozen", "版の確定"],
  entry_stage: ["Stage", "ステージ"],
  entry_game: ["Game", "ゲーム"],
  entry_finding: ["Finding", "違反"],
  entry_ruling: ["Ruling", "裁定"],
  entry_appeal: ["Appeal", "異議申立て"],
  entry_round: ["Round", "ラウンド"],
  entry_ranking: ["Ranking", "順位"],
  entry_sheets: ["Sheets", "審査シート"],
  entry_rating: ["Rating", "評価"],
  entry_judge: ["Judge", "審査員"],
  entry_set: ["Set of games", "セット"],
  entry_lots: ["Lots closed", "くじの締切"],
  entry_key: ["Key of the draws", "抽選の鍵"],
  entry_plan: ["Plan of the stages", "ステージの計画"],
  entry_cell: ["Where programs ran", "実行環境"],
  entry_stop: ["End of a stage", "ステージの終了"],
  entry_out: ["Out of the contest", "失格・敗退"],
  entry_note: ["Note", "注記"],
  entry_end: ["End", "終了"]
};

// src/site/words_organise.ts
var organiseWords = {
  organiseParts: ["Parts of organising", "運営の項目"],
  onlyOrganisers: ["This is for the organisers of the contest", "この大会の主催者だけが見られます"],
  onlyAdmins: ["This is for the admin of the server", "サーバーの管理者だけが見られます"],
  partState: ["State", "進行"],
  partJobs: ["Jobs", "ジョブ"],
  partAnnounce: ["Announce", "告知"],
  partRules: ["Rules", "規則"],
  partRoles: ["Roles", "役割"],
  partTrail: ["Trail", "操作記録"],
  reason: ["Reason", "理由"],
  reasonPublic: ["goes into the public ledger", "公開の台帳に記録されます"],
  moveTo: ["Go on to:", "次へ進む："],
  moveText: ["Dates do this by themselves. By hand it happens at once, as soon as what it waits for is there.", "通常は期日に自動で進みます。手動では、条件が整い次第すぐに進みます。"],
  moveButton: ["Go to: {state}", "{state}へ"],
  moveBack: ["Back to:", "前に戻す："],
  moveBackText: ["One step back, with a reason that everybody can read.", "一段階だけ戻します。理由は公開されます。"],
  rarely: ["Rarely needed", "まれに使うもの"],
  pause: ["Pause", "一時停止"],
  pauseText: ["No date fires and no round begins until it goes on. Its length is in the ledger.", "再開するまで期日もラウンドも進みません。停止した長さは台帳に残ります。"],
  resume: ["Go on", "再開"],
  resumeText: ["Dates and rounds go on.", "期日とラウンドを再開します。"],
  cancel: ["Cancel the contest", "大会を中止"],
  cancelText: ["{name} ends here and can’t be taken up again.", "{name} はここで終わり、再開できません。"],
  roundNow: ["Testing round now", "今すぐテスト対戦"],
  roundText: ["All active versions play beside the set times.", "定刻とは別に、全ての有効な版で対戦します。"],
  roundAsked: ["The round is in the queue.", "テスト対戦を登録しました。"],
  datesIn: ["All in the contest’s zone, {zone}. What has happened can’t be moved.", "大会の時間帯 {zone} で入力してください。過ぎた期日は変更できません。"],
  datesChange: ["Change the dates", "日程を変更"],
  approve: ["Approve", "承認"],
  sameFiles: ["same files as {teams}", "{teams} と同じファイル"],
  refuse: ["Refuse", "断る"],
  showDecided: ["Show what is decided, too", "裁定済みも表示"],
  rule: ["Rule", "裁定する"],
  ruleSend: ["Rule", "裁定する"],
  notCarriedOut: ["a ruling that was not carried out", "実行できなかった裁定"],
  closeRuling: ["Close it", "取り下げる"],
  decision: ["Decision", "裁定"],
  decision_dismiss: ["dismiss", "却下"],
  decision_warn: ["warn", "警告"],
  decision_eliminate: ["eliminate", "失格"],
  appealed_finding_dismiss: ["the finding stays", "棄却：違反は残る"],
  appealed_finding_grant: ["grant: the finding is dismissed", "認容：違反を取り消す"],
  appealed_game_dismiss: ["the game counts", "棄却：ゲームは有効"],
  appealed_game_grant: ["grant: the game counts for nobody", "認容：ゲームを無効にする"],
  "appealed_game_grant-set": ["grant: its set is played anew", "認容：セットを再対戦"],
  appealed_rank_dismiss: ["the rank stays", "棄却：順位は変わらない"],
  appealed_rank_grant: ["grant", "認容"],
  suspend: ["Suspend this version", "この版を停止"],
  restore: ["Let it play again", "停止を解除"],
  noJobs: ["Nothing to do", "ジョブはありません"],
  triesN: ["{n} try|{n} tries", "{n}回目"],
  retry: ["Try again", "再試行"],
  job_unpack: ["Unpack", "展開"],
  job_build: ["Build", "構築"],
  job_check: ["Check", "チェック"],
  job_play: ["Play", "対戦"],
  job_nlp: ["Natural-language window", "自然言語の期間"],
  job_judge: ["Model judges", "モデル審査"],
  job_bundle: ["Bundle", "バンドル"],
  job_audit: ["Audit", "検証"],
  jobstate_NEW: ["waits", "待機"],
  jobstate_PUT: ["at the runner", "実行待ち・実行中"],
  jobstate_DONE: ["done", "完了"],
  jobstate_FAILED: ["failed", "失敗"],
  jobstate_STOPPED: ["stopped", "停止"],
  announceText: ["To all teams, by mail and on their pages. Captains can’t switch announcements off.", "全チームにメールとページで知らせます。受信を止めることはできません。"],
  announceSend: ["Send to all teams", "全チームに送る"],
  announceDone: ["The announcement is on its way.", "告知を送信しました。"],
  textEnglish: ["Text in English", "英語の本文"],
  textJapanese: ["Text in Japanese", "日本語の本文"],
  roleLabel: ["Role", "役割"],
  roleHint: ["empty: a link for somebody without an account", "空欄なら、アカウントのない人への招待リンクを作ります"],
  roleGive: ["Give the role", "役割を与える"],
  "verb_change-state": ["state, teams or jobs", "進行・チーム・ジョブ"],
  "verb_move": ["from state to state", "状態の移行"],
  "verb_create-contest": ["contest made", "大会の作成"],
  "verb_remove-outputs": ["outputs of agents removed", "エージェントの出力の削除"],
  "verb_amend": ["contest file amended", "大会ファイルの改訂"],
  "verb_announce": ["announcement", "告知"],
  "verb_pause": ["pause", "一時停止"],
  "verb_rule": ["ruling", "裁定"],
  "verb_appoint": ["role given or taken", "役割の変更"],
  "verb_found-team": ["team registered", "チームの登録"],
  "verb_change-team": ["team changed", "チームの変更"],
  "verb_leave-team": ["left the team", "チームから脱退"],
  "verb_submit": ["handed in", "提出"],
  "verb_appeal": ["appeal", "異議申立て"],
  "verb_answer-finding": ["finding answered", "違反への回答"],
  "verb_rate": ["sheet rated", "審査シート"],
  "verb_register": ["account made", "アカウント作成"],
  "verb_log-in": ["login", "ログイン"],
  "verb_change-account": ["account changed", "アカウントの変更"],
  "verb_back-up": ["backup", "バックアップ"],
  "verb_list-accounts": ["account changed by the admin", "管理者によるアカウント変更"],
  "verb_reset-account": ["link for a new password", "再設定リンク"],
  byServer: ["the server", "サーバー"],
  noTrail: ["Nothing was done yet", "操作はまだありません"],
  when: ["When", "日時"],
  who: ["Who", "操作者"],
  what: ["What", "操作"],
  detail: ["Detail", "詳細"],
  amendText: ["Texts and future dates change freely. Everything else is an amendment: all teams are told, and both digests stand in the ledger.", "文章と将来の期日は自由に変更できます。それ以外は規則の改正となり、全チームに通知され、両方のダイジェストが台帳に残ります。"],
  amendOld: ["The file was changed by somebody else since you began: look below at what your text would take back.", "書き始めた後に他の人がファイルを変更しました。下の変更箇所を確かめてください。"],
  contestFile: ["Contest file", "大会ファイル"],
  amendSend: ["Amend", "改正する"],
  noChange: ["Nothing is changed yet.", "変更はまだありません。"],
  whatChanges: ["What changes", "変更箇所"],
  diffIn: ["new", "追加"],
  diffOut: ["gone", "削除"],
  // what needs somebody
  needsYou: ["What needs somebody", "対応が必要なこと"],
  needsNobody: ["Nothing waits for an organiser.", "主催者を待つものはありません。"],
  needTeams: ["{n} to approve", "承認待ち {n}チーム"],
  needFindings: ["{n} to rule on", "裁定待ち {n}件"],
  needAppeals: ["{n} open", "未決 {n}件"],
  needJobs: ["{n} failed", "失敗 {n}件"],
  standTeams: ["{n} take part, {m} with a version that plays", "{n}チーム参加、うち{m}チームに対戦中の版"],
  serverFit: ["The server is fit: store, ledger, runner, disk.", "サーバーは正常です（保存・台帳・実行係・ディスク）。"],
  serverUnfit: ["The server is not fit: {what}.", "サーバーに問題があります：{what}"],
  unfit_store: ["its store does not answer", "データベースが応答しません"],
  unfit_ledger: ["the ledger is not the one of the store", "台帳が保存内容と一致しません"],
  unfit_runner: ["no runner is alive", "実行係が動いていません"],
  unfit_disk: ["the disk is nearly full", "ディスクの空きが不足しています"],
  partSheets: ["Sheets", "審査"],
  sheetsCsv: ["Sheets filled in on paper or in a table", "紙や表計算で記入したシート"],
  sheetsCsvText: ["The table that “warg contest sheets {name} --csv” prints, filled in. Sheets that lack something are refused with their line.", "「warg contest sheets {name} --csv」で出力した表に記入したファイルです。不備があれば行番号とともに拒否されます。"],
  sheetsTaken: ["{n} sheets were handed in.", "{n}枚を受け付けました。"],
  // the server
  accountNew: ["New account", "新しいアカウント"],
  yourNameOf: ["Name", "名前"],
  accountNewText: ["For somebody whom mail does not reach, or where nobody may register: a link by which a password is set within 30 minutes.", "メールが届かない人や、登録を受け付けていない場合に使います。30分以内にパスワードを設定するリンクを作ります。"],
  accountLink: ["Give this link to {name}; it works once, for 30 minutes:", "{name} にこのリンクを渡してください（1回・30分間有効）："],
  passwordLink: ["Password link", "再設定リンク"],
  backupNow: ["Back up now", "今すぐバックアップ"],
  backupDone: ["The backup is in {folder}.", "{folder} に保存しました。"],
  contestNew: ["New contest", "新しい大会"],
  contestNewText: ["A contest file says everything. It begins as a draft that only organisers see.", "大会ファイルで全てを決めます。最初は主催者だけに見える準備中の状態です。"],
  accounts: ["Accounts", "アカウント"],
  disabled: ["disabled", "無効"],
  disable: ["Disable", "無効にする"],
  enable: ["Enable", "有効にする"],
  backup: ["Backup", "バックアップ"],
  backupText: ["Database, ledger, secrets and files, while everything goes on; into backups/ beside server.yml, or by the command wherever you say. It holds secrets: keep it as safe as the server.", "データベース・台帳・秘密値・ファイルを稼働したまま、server.yml の隣の backups/ に、またはコマンドで指定した場所に保存します。秘密値を含むため、サーバーと同じく安全に保管してください。"],
  // judges
  noSheets: ["No sheet for you yet", "審査シートはまだありません"],
  noSheetsText: ["Sheets are given out when judging begins.", "審査が始まると配布されます。"],
  sheetN: ["Sheet {n}", "シート{n}"],
  calibration: ["to calibrate", "練習用"],
  sheetsDone: ["{done} of {n} sheets are sent", "{n}枚中{done}枚を送信済み"],
  sheetsAll: ["All are sent. Thank you!", "すべて送信しました。ありがとうございます！"],
  sheetsText: ["Each sheet is one game by one criterion, about ten minutes. Drafts are saved by themselves; you may stop anywhere.", "シートは1ゲーム1基準で、約10分です。下書きは自動保存され、いつでも中断できます。"],
  sheetFirst: ["Begin", "始める"],
  sheetNext: ["Go on", "続ける"],
  sheet_NEW: ["new", "未着手"],
  sheet_EMPTY: ["left empty", "空欄"],
  sheet_DONE: ["sent", "送信済み"],
  sheet_DRAFT: ["begun", "下書き"],
  criterion_A: ["Natural expression", "自然な表現"],
  criterion_B: ["Natural in context", "文脈をふまえた対話"],
  criterion_C: ["Consistent", "一貫性"],
  criterion_D: ["Actions reflect the dialogue", "対話に沿った行動"],
  criterion_E: ["Rich, and fits the profile", "豊かさとプロフィール"],
  criterion_F: ["Teamwork", "チームプレイ"],
  grounds: ["No ground: who won, votes received, execution, survival, amount or length of speech.", "根拠にしないこと：勝敗、得票、追放、生存、発話の量と長さ。"],
  sheetFacts: ["Known of each", "各人の情報"],
  theGame: ["The game", "ゲーム"],
  yourOrder: ["Your order", "順位付け"],
  yourScores: ["Your scores", "採点"],
  rankBegin: ["Press the best first, then the next, …", "最も良い人から順に押してください。"],
  rankGoOn: ["… and the next best.", "次に良い人を押してください。"],
  rankWhole: ["Change it by ▲ ▼, by dragging, or with the arrow keys.", "▲▼、ドラッグ、矢印キーで入れ替えられます。"],
  rankRest: ["Not in the order yet", "未順位"],
  rankGrip: ["{name}, place {n} of {all}: arrow keys move it", "{name}、{all}人中{n}位：矢印キーで移動"],
  rankUp: ["{name} one up", "{name} を上へ"],
  rankDown: ["{name} one down", "{name} を下へ"],
  rankOut: ["Take {name} out", "{name} を外す"],
  rankTold: ["{name} is at place {n}", "{name} は{n}位"],
  reasonFor: ["Why (optional)", "理由（任意）"],
  saved_same: ["", ""],
  saved_waits: ["…", "…"],
  saved_saving: ["saving…", "保存中…"],
  saved_saved: ["saved", "保存しました"],
  saved_away: ["kept in this browser", "このブラウザに保存中"],
  sheetNotWhole: ["Everybody needs a place first.", "全員を順位付けしてください。"],
  sheetSend: ["Send this sheet", "このシートを送信"],
  sheetLater: ["Later", "後で"],
  kind_whisper: ["whisper", "囁き"],
  kind_gone: ["is no longer there", "退場"],
  kind_divine: ["divines", "占い"],
  kind_medium: ["learns as the medium", "霊媒"],
  kind_vote: ["votes for", "投票"],
  kind_guard: ["guards", "護衛"],
  kind_attack: ["votes to attack", "襲撃投票"]
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
  loggedInAs: ["You are logged in as {name}.", "{name} としてログインしています。"],
  loginHint: ["2 to 32 letters, digits, . _ -", "2〜32文字の英数字と . _ -"],
  passwordHint: ["12 characters or more; a sentence is fine", "12文字以上。文章でもかまいません"],
  yourName: ["Your name", "お名前"],
  mail: ["Mail address", "メールアドレス"],
  mailGood: ["confirmed; never public", "確認済み。公開されません"],
  mailOpen: ["not confirmed yet: open the link that was mailed to it, within a day", "未確認です。届いたメールのリンクを1日以内に開いてください"],
  mailHint: ["For deadlines, check results and a forgotten password; never public", "締切・チェック結果・パスワードの再設定に使います。公開されません"],
  mailLanguage: ["Language of mails", "メールの言語"],
  you: ["You", "あなた"],
  haveAccount: ["I have an account: log in", "アカウントがあります：ログイン"],
  registerText: ["An account is for a person. With it you found a team in a contest, or join one.", "アカウントは個人のものです。大会でチームを作るか、チームに参加できます。"],
  registerFor: ["Register for {contest}", "{contest} に参加登録"],
  registerOne: ["One form, and your team takes part at once.", "このフォームだけで、すぐに参加できます。"],
  registerApprove: ["The organisers look at each team before it takes part.", "参加には主催者の承認が必要です。"],
  registerTeam: ["Register the team", "チームを登録"],
  haveTeam: ["You are in the team {team} of this contest.", "この大会ではチーム {team} に所属しています。"],
  teamName: ["Team name", "チーム名"],
  teamNameHint: ["Your agent has to say this name; letters, digits and _ - % . It can’t be changed.", "エージェントが名乗る名前です。英数字と _ - % . が使えます。後から変更できません。"],
  affiliation: ["Affiliation", "所属"],
  isPublic: ["Shown in public", "公開されます"],
  isPrivate: ["For the organisers", "主催者だけに見えます"],
  resetTitle: ["New password", "パスワードの再設定"],
  resetSend: ["Send me a link", "リンクを送る"],
  resetHint: ["The link goes to the mail address of the account.", "アカウントのメールアドレスにリンクを送ります。"],
  resetSent: ["If this account has a mail address, a link is on its way. It is good for 30 minutes.", "このアカウントにメールアドレスがあれば、リンクを送りました。30分間有効です。"],
  resetSet: ["Set the password", "パスワードを設定"],
  resetDone: ["The password is set.", "パスワードを設定しました。"],
  confirmTitle: ["Confirm your address", "メールアドレスの確認"],
  confirmText: ["The address becomes that of {name}, for deadlines and a forgotten password.", "{name} のアドレスとして、締切のお知らせやパスワードの再設定に使います。"],
  confirmLogin: ["Log in with the account that this address is of.", "このアドレスを登録したアカウントでログインしてください。"],
  confirmButton: ["This address is mine", "自分のアドレスです"],
  inviteTitle: ["Invitation", "招待"],
  inviteText: ["You were invited. Log in, or make an account: then you are in.", "招待されています。ログインするか、アカウントを作成すると参加できます。"],
  inviteJoin: ["You join as {name}.", "{name} として参加します。"],
  inviteAccept: ["Accept the invitation", "招待を受ける"],
  inviteNew: ["I am new here", "はじめての方"],
  accountTitle: ["Your account", "アカウント"],
  accountData: ["Name and mail", "名前とメール"],
  yourContests: ["Where you take part", "参加中の大会"],
  captain: ["captain", "代表者"],
  save: ["Save", "保存"],
  saved: ["Saved.", "保存しました。"],
  newPassword: ["New password", "新しいパスワード"],
  mailPassword: ["Needed for another address only", "アドレスを変えるときだけ必要です"],
  oldPassword: ["Password until now", "現在のパスワード"],
  passwordChange: ["Change the password", "パスワードを変更"],
  tokens: ["Tokens for programs", "プログラム用トークン"],
  tokensText: ["A program of yours, such as warg contest submit, asks with a token in your place, no further than its scopes.", "warg contest submit などのプログラムが、許可した範囲であなたの代わりに使います。"],
  token: ["Token", "トークン"],
  tokenNew: ["Make a token", "トークンを作成"],
  tokenMade: ["Copy it now: it is shown only once.", "今コピーしてください。一度しか表示されません。"],
  tokenLabel: ["What it is for", "用途"],
  tokenDays: ["Good for how many days", "有効日数"],
  tokenScopes: ["It may", "許可すること"],
  scope_read: ["read", "閲覧"],
  scope_submit: ["hand in versions", "提出"],
  scope_judge: ["judge", "審査"],
  scope_organise: ["organise", "運営"],
  until: ["until", "有効期限"],
  lastUsed: ["last used", "最終使用"],
  remove: ["Remove", "削除"],
  logins: ["Where you are logged in", "ログイン中の端末"],
  loginSince: ["since", "開始"],
  thisBrowser: ["this browser", "このブラウザ"],
  logOut: ["Log out", "ログアウト"],
  yourData: ["Your data", "あなたのデータ"],
  yourDataText: ["Everything that this server keeps of you, as a file.", "このサーバーが保存しているあなたのデータ全部を、ファイルで取得できます。"],
  yourDataGet: ["Download all", "すべてダウンロード"],
  accountDelete: ["Delete the account", "アカウントを削除"],
  accountDeleteText: ["Login, name, mail address and affiliation are erased. Games and the ledger stay; they hold the team’s name only.", "ログイン名・名前・メール・所属を消去します。ゲームと台帳は残りますが、チーム名しか含みません。"],
  copy: ["Copy", "コピー"],
  copied: ["Copied.", "コピーしました。"],
  copyByHand: ["Copying is not allowed here: mark the text and copy it by hand.", "コピーできません。文字列を選択して手動でコピーしてください。"],
  more: ["More", "続き"],
  all: ["all", "すべて"],
  rolename_judge: ["judge", "審査員"],
  rolename_organiser: ["organiser", "主催者"],
  rolename_admin: ["admin", "管理者"]
};

// src/site/words_team.ts
var teamWords = {
  teamParts: ["Parts of the team page", "チームページの項目"],
  partVersions: ["Versions", "版"],
  partConnect: ["Connection", "接続"],
  partPeople: ["Members", "メンバー"],
  partFindings: ["Findings", "違反"],
  partDocuments: ["Documents", "書類"],
  partLots: ["Lots", "くじ"],
  partNotices: ["Notices", "お知らせ"],
  // versions
  newVersion: ["New version", "新しい版"],
  language: ["Language", "言語"],
  entryClass: ["Player class", "プレイヤークラス"],
  entryFile: ["Script or program", "スクリプト・実行ファイル"],
  entryJava: ["with its package, as com.example.Player", "パッケージ名を含む。例：com.example.Player"],
  entryDotnet: ["the program at the root of the .zip; empty for a .dll", ".zip 直下の実行ファイル。.dll なら空欄"],
  entryPython: ["its name without folder, as start.py", "フォルダ名なし。例：start.py"],
  entryNative: ["its name without folder, as start", "フォルダ名なし。例：start"],
  chooseFile: ["Choose a file", "ファイルを選ぶ"],
  orDrop: ["or drop it here", "またはここにドロップ"],
  atMost: ["at most {size}", "最大 {size}"],
  versionNote: ["Note for yourselves", "メモ（自分用）"],
  fileMissing: ["Choose a file first.", "ファイルを選んでください。"],
  fileEmpty: ["The file is empty.", "ファイルが空です。"],
  fileLarge: ["The file is larger than {size}.", "ファイルが {size} を超えています。"],
  fileKind: ["This language takes {kinds}.", "この言語の形式は {kinds} です。"],
  upload: ["Upload", "提出"],
  uploading: ["Uploading", "アップロード中"],
  uploadedOf: ["{sent} of {all}", "{all} 中 {sent}"],
  uploadDone: ["Received.", "受け取りました。"],
  uploadBroken: ["The upload broke off. Nothing is lost: press once more to send the file again.", "アップロードが中断しました。もう一度押すと再送します。"],
  uploadStopped: ["The upload was stopped.", "アップロードを中止しました。"],
  stop: ["Stop", "中止"],
  whyCheck: ["The check failed at: {step}", "チェックの「{step}」で不合格"],
  stepComma: [", ", "」「"],
  listComma: [", ", "、"],
  teamWaits: ["An organiser looks at this team first. Versions can be handed in as soon as it is approved; you will be told.", "主催者がこのチームを確認しています。承認され次第お知らせし、版を提出できるようになります。"],
  teamIsOut: ["This team is out of the contest. Its games, findings and appeals stay here.", "このチームは失格・敗退しました。ゲーム・違反・異議申立てはここで見られます。"],
  teamIsGone: ["This team no longer takes part.", "このチームは参加していません。"],
  teamNoFinalist: ["This team is not in the final: nothing more is to be handed in. Its games and logs stay here.", "このチームは決勝に進んでいないため、提出するものはありません。ゲームとログはここで見られます。"],
  finalist: ["finalist", "決勝進出"],
  noMoreVersions: ["No versions are taken now.", "現在、版の提出は受け付けていません。"],
  noVersions: ["No version yet", "版はまだありません"],
  noVersionsText: ["Upload the first one: the check takes about a minute.", "最初の版を提出してください。チェックは約1分です。"],
  noFileYet: ["no file", "ファイルなし"],
  noFileText: ["Its file did not arrive. Choose it again.", "ファイルが届いていません。もう一度選んでください。"],
  logsZip: ["Logs of our games (.zip)", "自チームのログ (.zip)"],
  version_RECEIVED: ["received", "受領"],
  version_UNPACKED: ["unpacked", "展開済み"],
  version_BUILT: ["built", "構築済み"],
  version_CHECKING: ["being checked", "チェック中"],
  version_PASSED: ["passed", "合格"],
  version_ACTIVE: ["plays", "対戦中の版"],
  version_SUSPENDED: ["suspended", "停止中"],
  version_RETIRED: ["retired", "旧版"],
  version_REFUSED: ["refused", "不合格"],
  wayLabel: ["How far it is", "進み具合"],
  way_RECEIVED: ["received", "受領"],
  way_UNPACKED: ["unpacked", "展開"],
  way_BUILT: ["built", "構築"],
  way_CHECKING: ["checked", "チェック"],
  way_PASSED: ["passed", "合格"],
  wait_RECEIVED: ["Waiting to be unpacked.", "展開を待っています。"],
  wait_UNPACKED: ["What it needs is being installed.", "必要なものを準備しています。"],
  wait_BUILT: ["Waiting for its check.", "チェックを待っています。"],
  wait_CHECKING: ["Playing with it in every role; this takes about a minute.", "全役職で試しています。約1分かかります。"],
  reportShow: ["Show the check", "チェック結果を見る"],
  reportHide: ["Hide the check", "チェック結果を隠す"],
  activate: ["Let this one play", "この版を使う"],
  step_archive: ["Archive", "書庫"],
  step_build: ["Build", "構築"],
  step_start: ["Start", "起動"],
  step_name: ["Name", "名前"],
  step_dialogue: ["Dialogue", "対話"],
  step_set: ["Set", "セット"],
  step_time: ["Time", "時間"],
  step_conduct: ["Conduct", "行動"],
  step_resources: ["Resources", "資源"],
  step_repeat: ["Repeat", "反復"],
  verdict_ok: ["good", "良"],
  verdict_warning: ["look at this", "注意"],
  verdict_failed: ["failed", "不可"],
  verdict_skipped: ["not tried", "実施せず"],
  verdict_now: ["now", "実施中"],
  verdict_later: ["later", "未実施"],
  reported_passed: ["passed", "合格"],
  reported_refused: ["refused", "不合格"],
  stepsFailed: ["{n} step failed.|{n} steps failed.", "不可 {n} 項目。"],
  stepsWarned: ["{n} warning.|{n} warnings.", "注意 {n} 件。"],
  checkLevel: ["(sandbox: {level})", "（サンドボックス：{level}）"],
  whatToChange: ["What to change:", "直すこと："],
  evidence: ["Evidence", "根拠"],
  lastLines: ["Its last lines", "最後の出力"],
  figFilesIn: ["{n} file|{n} files", "{n}ファイル"],
  figSaid: ["says {name}", "{name} と名乗る"],
  figMedian: ["median {ms} ms", "中央値 {ms} ms"],
  fig99: ["99 % within {ms} ms", "99%が {ms} ms 以内"],
  figMax: ["longest {ms} ms", "最長 {ms} ms"],
  figWaited: ["waited for a processor {ms} ms", "CPU待ち {ms} ms"],
  figLimit: ["limit {ms} ms", "制限 {ms} ms"],
  figLate: ["{n} answer too late|{n} answers too late", "遅れた回答 {n} 件"],
  figMemory: ["memory {used} of {limit}", "メモリ {used} / {limit}"],
  figThreads: ["threads {used} of {limit}", "スレッド {used} / {limit}"],
  figFiles: ["open files {used} of {limit}", "ファイル {used} / {limit}"],
  figOutput: ["printed {used} of {limit}", "出力 {used} / {limit}"],
  // people
  members: ["Members", "メンバー"],
  invite: ["Invite somebody", "招待する"],
  inviteLink: ["Give this link to one person. It is good for 14 days.", "このリンクを一人に渡してください。14日間有効です。"],
  makeCaptain: ["Make captain", "代表者にする"],
  hookSecret: ["Its messages are signed with this secret, which is shown only once:", "署名に使う秘密です。一度しか表示されません："],
  leave: ["Leave the team", "チームを抜ける"],
  teamData: ["About the team", "チームの情報"],
  webhook: ["Webhook", "Webhook"],
  webhookHint: ["an address that gets each notice as JSON", "お知らせをJSONで受け取るアドレス"],
  consent: ["What may be public", "公開してよいもの"],
  consentAffiliation: ["our affiliation", "所属"],
  consentMembers: ["our names", "メンバーの名前"],
  consentSources: ["our source and description, after the contest", "ソースと解説文（大会後）"],
  tellUs: ["By mail and webhook, too", "メールとWebhookでも知らせるもの"],
  "tell_version-received": ["a version was received", "版の受領"],
  "tell_version-passed": ["a version passed", "版の合格"],
  "tell_version-refused": ["a version was refused", "版の不合格"],
  "tell_version-suspended": ["a version was suspended", "版の停止"],
  tell_round: ["results of a round", "ラウンドの結果"],
  tell_deadline: ["deadlines come near", "締切の接近"],
  tell_state: ["the contest goes on", "大会の進行"],
  "tell_token-ends": ["a token comes to its end", "トークンの期限"],
  withdraw: ["Withdraw from the contest", "大会を辞退する"],
  withdrawText: ["The team is out from now on. Its games so far stay for the others.", "以後この大会には参加できません。これまでのゲームは他チームのために残ります。"],
  noNotices: ["Nothing was told yet", "お知らせはまだありません"],
  // findings
  rule_late: ["Late answers", "遅い回答"],
  rule_sentence: ["Sentences outside the language", "言語外の文"],
  rule_crash: ["Crash", "異常終了"],
  rule_judge: ["Words to the judges", "審査員への話しかけ"],
  rule_network: ["Network", "ネットワーク"],
  rule_write: ["Writing files", "ファイルへの書き込み"],
  rule_process: ["Starting programs", "プログラムの起動"],
  rule_thread: ["Threads", "スレッド"],
  rule_memory: ["Memory", "メモリ"],
  rule_output: ["Output", "出力"],
  rule_name: ["Name", "名前"],
  rule_error: ["Errors printed", "エラー出力"],
  rule_silent: ["Silence", "無発言"],
  rule_form: ["Form of utterances", "発言の形式"],
  rule_other: ["Other", "その他"],
  finding_NOTED: ["noted", "記録"],
  finding_STRIKE: ["strike", "警告1回"],
  finding_PROPOSED: ["elimination proposed", "失格を提案"],
  finding_ANSWERED: ["answered", "回答済み"],
  finding_RULED: ["ruled", "裁定済み"],
  timesN: ["{n} time|{n} times", "{n}回"],
  findingN: ["no. {n}", "番号 {n}"],
  noFindings: ["Nothing was found", "違反はありません"],
  teamAnswer: ["The team says:", "チームの回答："],
  ruling: ["Ruling:", "裁定："],
  answerFinding: ["Answer", "回答する"],
  answerText: ["The organisers propose to eliminate the team for this. Say how it came about; they rule with your answer before them.", "主催者はこの件での失格を提案しています。経緯を説明してください。回答をふまえて裁定します。"],
  yourAnswer: ["Your answer", "回答"],
  appeals: ["Appeals", "異議申立て"],
  noAppeals: ["No appeals", "異議申立てはありません"],
  appealN: ["appeal {n}", "申立て {n}"],
  appealNew: ["Appeal", "異議を申し立てる"],
  appealText: ["Log, exchange record and times of the game are added by the server.", "ゲームのログ、通信記録、時間はサーバーが添付します。"],
  appealSend: ["Send the appeal", "申立てを送る"],
  appealAbout: ["Against", "対象"],
  appealObject: ["Number", "番号"],
  appealObjectHint: ["of the finding or the game", "違反またはゲームの番号"],
  appealReason: ["What is wrong with it", "理由"],
  about_finding: ["a finding", "違反"],
  about_game: ["a game", "ゲーム"],
  about_set: ["a set", "セット"],
  about_rank: ["our rank", "順位"],
  appeal_OPEN: ["open", "審理中"],
  appeal_GRANTED: ["granted", "認容"],
  appeal_DISMISSED: ["dismissed", "棄却"],
  appealGame: ["Appeal against this game", "このゲームに異議を申し立てる"],
  // documents
  docDeadline: ["To be handed in until", "提出期限"],
  docSourceText: ["The source of your agent as an archive. It is listed and never run.", "エージェントのソースを書庫で提出します。実行されることはありません。"],
  docDescriptionText: ["How your agent thinks: a paper for readers, in any length.", "エージェントの考え方を説明する文書です。長さは自由です。"],
  received: ["received", "受領済み"],
  required: ["required", "必須"],
  licence: ["Licence", "ライセンス"],
  licenceHint: ["under which it may be published, as MIT or CC BY 4.0", "公開時のライセンス。例：MIT、CC BY 4.0"],
  // lots
  lotsText: ["Draws come from a secret of the organisers and the lots of all teams. With a lot of your own nobody can have chosen the draws, not even the organisers. It is a random number that your browser makes; keep it secret until versions are frozen, then open it.", "抽選は主催者の秘密値と全チームのくじから決まります。くじを入れれば、主催者でさえ抽選を選べません。くじはブラウザが作る乱数です。版の確定まで秘密にし、その後に開示してください。"],
  lotMake: ["Make a lot and enter it", "くじを作って登録"],
  lotEntered: ["The lot is entered; its secret is in the file that was downloaded.", "くじを登録しました。秘密はダウンロードしたファイルにあります。"],
  lotEntryLabel: ["Entry of the lot", "くじの登録値"],
  lotKeep: ["Keep the downloaded file secret, and keep it: you need it to open the lot. This browser remembers it, too.", "ダウンロードしたファイルは秘密にして保管してください。開示に必要です。このブラウザにも保存されています。"],
  lotIn: ["entered", "登録済み"],
  lotToOpen: ["to be opened now", "開示してください"],
  lotIsOpen: ["opened", "開示済み"],
  lotNone: ["none: counts as zeros", "なし（0として扱います）"],
  lotNotYet: ["not entered", "未登録"],
  lotOpen: ["Open the lot", "くじを開示"],
  lotFile: ["Choose the lot’s file", "くじのファイルを選ぶ"],
  lotSecret: ["Secret of the lot", "くじの秘密"],
  lotFound: ["This browser has kept it.", "このブラウザに保存されていました。"],
  lotPaste: ["64 digits, from the file that you downloaded", "ダウンロードしたファイルの64桁"],
  lotWrong: ["This is not the lot of the entry.", "登録したくじと一致しません。"],
  lotInsecure: ["A browser makes lots over https only.", "くじの作成には https が必要です。"],
  // natural language
  connectText: ["Your agent runs at your place and connects to the address with the token. Here you see whether it is there.", "エージェントは手元で動かし、アドレスとトークンで接続します。接続状況はここで分かります。"],
  serverAddress: ["Address", "アドレス"],
  tokenGet: ["Get a token", "トークンを取得"],
  connectedN: ["connected: {names}", "接続中：{names}"],
  notConnected: ["nobody is connected", "接続なし"],
  lastClose: ["Last connection ended:", "前回の切断："],
  awaited: ["Awaited: {names}", "待っている相手：{names}"],
  track_IN: ["entered", "参加"],
  track_QUALIFIED: ["qualified", "参加資格あり"],
  track_OUT: ["out", "不参加"],
  trackEnter: ["Enter this track", "このトラックに参加"],
  trackLeave: ["Leave this track", "このトラックを辞退"],
  trackNotIn: ["The team is not in this track.", "このトラックには参加していません。"],
  trackShut: ["Its server does not run now.", "サーバーは現在動いていません。"],
  trackProgress: ["{done} of {n} matches are played", "{n}試合中{done}試合が終了"],
  selfMatches: ["Self-matches without an error: {done} of {n}", "エラーのない自己対戦：{n}回中{done}回"],
  away: ["Hours in which we are away", "対戦できない時間"],
  awayNow: ["We are away:", "対戦できない時間："],
  awayText: ["No game of the track begins with your agents between these moments, in the contest’s zone, {zone}. Empty: none.", "この間は自チームの対戦を始めません。大会の時間帯 {zone} で入力してください。空欄なら指定なしです。"],
  awayFrom: ["From", "開始"],
  awayTo: ["To", "終了"],
  window: ["Window:", "期間："],
  connectMistakes: ["If it does not connect", "接続できないとき"],
  mistake1: ["Is the address the one above, with wss:// and its path?", "アドレスは上のものですか（wss:// とパスを含む）。"],
  mistake2: ["Is the token the newest one, and sent as the server’s documentation says?", "トークンは最新で、正しい方法で送っていますか。"],
  mistake3: ["Do as many agents connect as one game needs?", "必要な数のエージェントが接続していますか。"],
  mistake4: ["Does the agent say the team’s name, {name}?", "エージェントはチーム名 {name} を名乗っていますか。"],
  publish_own: ["Logs of your own games are yours while the contest runs.", "大会中は自チームのログだけを取得できます。"],
  publish_all: ["Logs of all games are open.", "全ゲームのログが公開されています。"]
};

// src/site/words.ts
var table = { ...sharedWords, ...siteWords, ...contestWords, ...teamWords, ...organiseWords };
var { t: t5, tn } = wording(table);
function both(text) {
  if (!text) return "";
  if (typeof text === "string") return text;
  return (lang.value === "ja" ? text.ja || text.en : text.en || text.ja) ?? "";
}
var wordOf = (prefix, value) => Object.hasOwn(table, prefix + value) ? t5(prefix + value) : shown(value);

// src/site/ask.ts
var api = "/api/v1/";
var lost = y3(false);
var csrf = "";
var setCsrf = (token) => {
  csrf = token;
};
var changes = 0;
var changesSoFar = () => changes;
var denied = () => {
};
var onDenied = (then) => {
  denied = then;
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
    hearClock(answer.headers.get("X-Warg-Now"));
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
  const text = await answer.text();
  if (method !== "GET") changes++;
  if (answer.status === 401 && path !== "account" && path !== "login") denied();
  return taken(answer.status, text);
}
var get = (path) => ask("GET", path);
async function getText(path) {
  const answer = await sent(path, { headers: headersFor() });
  const text = await answer.text();
  if (!answer.ok) taken(answer.status, text);
  return text;
}
var asTrouble = (error) => error instanceof ApiError ? error : new ApiError(-1, "page", error instanceof Error ? error.message : String(error));

// src/site/loaded.ts
var before = /* @__PURE__ */ new Map();
var forgetAll = () => before.clear();
var FRESH_MS = 5e3;
var asked = /* @__PURE__ */ new Map();
function isFresh(path) {
  const last = asked.get(path);
  return before.has(path) && last !== void 0 && last.changes === changesSoFar() && Date.now() - last.at < FRESH_MS;
}
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
      const changes2 = changesSoFar();
      get(path).then(
        (got) => {
          if (mine !== serial) return;
          tries = 0;
          before.set(path, got);
          asked.set(path, { at: Date.now(), changes: changes2 });
          value.value = got;
          trouble.value = null;
        },
        (error) => {
          if (mine !== serial) return;
          trouble.value = asTrouble(error);
          if ([0, 429, 503].includes(trouble.value.status)) timer = setTimeout(again, pauseOf(tries++));
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
    if (!isFresh(path)) loaded.again();
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
function mayBeIn() {
  try {
    return localStorage.getItem("warg.in") === "yes";
  } catch {
    return true;
  }
}
function take(now) {
  keep("in", now ? "yes" : "");
  if (me.value !== void 0 && (me.value?.id ?? "") !== (now?.id ?? "")) forgetAll();
  setCsrf(now?.csrf ?? "");
  me.value = now;
}
onDenied(() => {
  if (me.value) void findMe();
});
async function findMeFirst() {
  if (mayBeIn()) await findMe();
  else take(null);
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
async function logOut() {
  await ask("POST", "logout");
  take(null);
}
async function change(method, path, body) {
  try {
    return await ask(method, path, body);
  } catch (error) {
    const trouble = asTrouble(error);
    if (trouble.status !== 403 || trouble.code !== "csrf") throw error;
    await findMe();
    return ask(method, path, body);
  }
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
  /* @__PURE__ */ a4("h2", { children: t5(trouble.status === 404 ? "missingTitle" : trouble.status === 401 ? "needLogin" : "troubleTitle") }),
  /* @__PURE__ */ a4("p", { children: sentence(trouble) }),
  /* @__PURE__ */ a4("p", { class: "acts", children: [
    (trouble.status === 401 || trouble.status === 404 && me.value === null) && /* @__PURE__ */ a4("a", { class: "button strong", href: toLogin(), children: t5("navLogin") }),
    again && trouble.status !== 404 && trouble.status !== 401 && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: again, children: t5("tryAgain") }),
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
function NeedLogin({ children }) {
  if (me.value === void 0) return /* @__PURE__ */ a4(Loading, {});
  if (me.value) return /* @__PURE__ */ a4($, { children });
  return /* @__PURE__ */ a4("div", { class: "blank", children: [
    /* @__PURE__ */ a4(Mark, {}),
    /* @__PURE__ */ a4("h2", { children: t5("needLogin") }),
    /* @__PURE__ */ a4("p", { class: "acts", children: [
      /* @__PURE__ */ a4("a", { class: "button strong", href: toLogin(), children: t5("navLogin") }),
      /* @__PURE__ */ a4("a", { class: "button", href: "/register", children: t5("registerTitle") })
    ] })
  ] });
}

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

// src/site/Copy.tsx
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t5("copied"));
  } catch {
    toast(t5("copyByHand"), true);
  }
}
var Copy = ({ text, label }) => /* @__PURE__ */ a4("div", { class: "copy", children: [
  /* @__PURE__ */ a4("code", { tabIndex: 0, "aria-label": label, children: text }),
  /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => void copy(text), children: [
    t5("copy"),
    /* @__PURE__ */ a4("span", { class: "unseen", children: [
      " ",
      label
    ] })
  ] })
] });
function saveFile(name2, parts, type = "application/octet-stream") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name2;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 6e4);
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
function Tick({ name: name2, label, hint }) {
  const { values, set, names, id } = useForm();
  names.add(name2);
  return /* @__PURE__ */ a4("label", { class: "switch whole", for: `${id}-${name2}`, children: [
    /* @__PURE__ */ a4("input", { type: "checkbox", id: `${id}-${name2}`, name: name2, checked: values.value[name2] === "yes", onChange: (event) => set(name2, event.currentTarget.checked ? "yes" : "", false) }),
    /* @__PURE__ */ a4("span", { children: [
      label,
      hint && /* @__PURE__ */ a4("span", { class: "hint", children: [
        " ",
        hint
      ] })
    ] })
  ] });
}
var useValue = (name2) => useForm().values.value[name2] ?? "";
var Fold = ({ title, children, danger, open }) => /* @__PURE__ */ a4("details", { class: danger ? "unfold danger" : "unfold", open: open === true, children: [
  /* @__PURE__ */ a4("summary", { children: title }),
  /* @__PURE__ */ a4("div", { class: "unfolded", children })
] });

// src/times.ts
var formats = /* @__PURE__ */ new Map();
function format(key, options) {
  const name2 = `${lang.value} ${key}`;
  const made2 = formats.get(name2) ?? new Intl.DateTimeFormat(lang.value === "ja" ? "ja-JP" : "en-GB", options);
  formats.set(name2, made2);
  return made2;
}
var clock = { hour: "2-digit", minute: "2-digit" };
function shortTime(ms, at = Date.now()) {
  const when = new Date(ms);
  const now = new Date(at);
  if (when.toDateString() === now.toDateString()) return format("time", clock).format(when);
  if (when.getFullYear() === now.getFullYear()) return format("day", { day: "numeric", month: "short", ...clock }).format(when);
  return format("year", { day: "numeric", month: "short", year: "numeric" }).format(when);
}
var fullTime = (ms) => format("full", { dateStyle: "full", timeStyle: "long" }).format(new Date(ms));
function spanText(ms) {
  const [value, unit] = ms < 9e4 ? [ms / 1e3, "second"] : ms < 54e5 ? [ms / 6e4, "minute"] : ms < 1296e5 ? [ms / 36e5, "hour"] : [ms / 864e5, "day"];
  return new Intl.NumberFormat(lang.value === "ja" ? "ja-JP" : "en", { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 0 }).format(value);
}

// src/site/dates.ts
var made = /* @__PURE__ */ new Map();
function format2(zone, options) {
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
    format2(zone, {});
    return true;
  } catch {
    return false;
  }
}
var long = { weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" };
var dateText = (ms, zone) => format2(knownZone(zone) ? zone : void 0, long).format(ms);
function offsetAt(zone, ms) {
  const fields = new Intl.DateTimeFormat("en-US", { timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" }).formatToParts(ms);
  const field = (type) => Number(fields.find((each) => each.type === type)?.value);
  return Date.UTC(field("year"), field("month") - 1, field("day"), field("hour"), field("minute"), field("second")) - Math.floor(ms / 1e3) * 1e3;
}
function momentIn(zone, wall) {
  const fields = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)/.exec(wall)?.slice(1).map(Number);
  if (!fields) return NaN;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = fields;
  const asUtc = Date.UTC(year, month - 1, day, hour, minute);
  const first = asUtc - offsetAt(zone, asUtc);
  return asUtc - offsetAt(zone, first);
}
var wallIn = (zone, ms) => new Date(ms + offsetAt(zone, ms)).toISOString().slice(0, 16);
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
function When2({ at, exact }) {
  const ms = msOf(at);
  return Number.isNaN(ms) ? null : /* @__PURE__ */ a4("time", { dateTime: new Date(ms).toISOString(), title: fullTime(ms), children: exact ? dateText(ms) : shortTime(ms, siteNow()) });
}
function Ahead({ ms }) {
  const now = siteNow();
  return /* @__PURE__ */ a4($, { children: ms > now ? t5("inTime", { time: spanText(ms - now) }) : t5("agoTime", { time: spanText(now - ms) }) });
}

// src/site/pages/Account.tsx
var scopes = ["read", "submit", "judge", "organise"];
function Tokens() {
  const tokens = useLoaded("account/tokens");
  const made2 = useSignal("");
  const remove = (id) => {
    change("DELETE", `account/tokens/${encodeURIComponent(id)}`).then(tokens.again, (error) => toast(asTrouble(error).message, true));
  };
  return /* @__PURE__ */ a4(Block, { title: t5("tokens"), children: [
    /* @__PURE__ */ a4("p", { class: "lead", children: t5("tokensText") }),
    made2.value && /* @__PURE__ */ a4("div", { class: "panel gap", role: "status", children: [
      /* @__PURE__ */ a4("p", { children: t5("tokenMade") }),
      /* @__PURE__ */ a4(Copy, { text: made2.value, label: t5("token") })
    ] }),
    /* @__PURE__ */ a4(When, { of: tokens, children: ({ items }) => items.length === 0 ? null : /* @__PURE__ */ a4("ul", { class: "items panel gap", children: items.map((token) => /* @__PURE__ */ a4("li", { class: "item", children: [
      /* @__PURE__ */ a4("div", { class: "item-main", children: [
        /* @__PURE__ */ a4("bdi", { class: "item-name", children: shown(token.label) }),
        /* @__PURE__ */ a4("span", { class: "note", children: [
          token.scopes.map((scope) => wordOf("scope_", scope)).join(t5("listComma")),
          token.ends && /* @__PURE__ */ a4($, { children: [
            " · ",
            t5("until"),
            " ",
            /* @__PURE__ */ a4(When2, { at: token.ends })
          ] }),
          token.used && /* @__PURE__ */ a4($, { children: [
            " · ",
            t5("lastUsed"),
            " ",
            /* @__PURE__ */ a4(When2, { at: token.used })
          ] })
        ] })
      ] }),
      /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => remove(token.id), children: [
        t5("remove"),
        /* @__PURE__ */ a4("span", { class: "unseen", children: [
          " ",
          shown(token.label)
        ] })
      ] })
    ] }, token.id)) }) }),
    /* @__PURE__ */ a4(Fold, { title: t5("tokenNew"), children: /* @__PURE__ */ a4(Form, { button: t5("tokenNew"), first: { days: "90", read: "yes" }, onSend: async (values) => {
      const answer = await change("POST", "account/tokens", { label: values["label"] ?? "", scopes: scopes.filter((scope) => values[scope] === "yes"), days: Number(values["days"]) });
      made2.value = answer.token;
      tokens.again();
    }, children: [
      /* @__PURE__ */ a4(Field, { name: "label", label: t5("tokenLabel"), required: true, maxLength: 100 }),
      /* @__PURE__ */ a4(Field, { name: "days", label: t5("tokenDays"), type: "number", required: true, min: 1, max: 365 }),
      /* @__PURE__ */ a4("fieldset", { class: "ticks", children: [
        /* @__PURE__ */ a4("legend", { children: t5("tokenScopes") }),
        scopes.map((scope) => /* @__PURE__ */ a4(Tick, { name: scope, label: t5(`scope_${scope}`) }, scope))
      ] })
    ] }) })
  ] });
}
function Logins() {
  const logins = useLoaded("account/logins");
  return /* @__PURE__ */ a4(Block, { title: t5("logins"), children: /* @__PURE__ */ a4(When, { of: logins, children: ({ items }) => /* @__PURE__ */ a4("ul", { class: "items panel", children: items.map((login, i4) => /* @__PURE__ */ a4("li", { class: "item", children: [
    /* @__PURE__ */ a4("div", { class: "item-main", children: [
      /* @__PURE__ */ a4("bdi", { class: "item-name", children: shown(login.address ?? "") }),
      /* @__PURE__ */ a4("span", { class: "note", children: [
        t5("loginSince"),
        " ",
        /* @__PURE__ */ a4(When2, { at: login.created }),
        login.seen && /* @__PURE__ */ a4($, { children: [
          " · ",
          t5("lastUsed"),
          " ",
          /* @__PURE__ */ a4(When2, { at: login.seen })
        ] })
      ] })
    ] }),
    login.here ? /* @__PURE__ */ a4("span", { class: "pill good", children: t5("thisBrowser") }) : login.id && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => void change("DELETE", `account/logins/${login.id}`).then(logins.again, (error) => toast(asTrouble(error).message, true)), children: [
      t5("logOut"),
      /* @__PURE__ */ a4("span", { class: "unseen", children: [
        " ",
        shown(login.address ?? "")
      ] })
    ] })
  ] }, login.id ?? i4)) }) }) });
}
function Own({ who }) {
  return /* @__PURE__ */ a4($, { children: [
    who.teams.length + who.roles.length > 0 && /* @__PURE__ */ a4(Block, { title: t5("yourContests"), children: /* @__PURE__ */ a4("ul", { class: "items panel", children: [
      who.teams.map((each) => /* @__PURE__ */ a4("li", { class: "item", children: [
        /* @__PURE__ */ a4("a", { class: "item-main", href: pathTo(each.contest, "team", each.team), children: [
          /* @__PURE__ */ a4("bdi", { class: "item-name", children: shown(each.team) }),
          /* @__PURE__ */ a4("span", { class: "note", children: each.contest })
        ] }),
        each.captain && /* @__PURE__ */ a4("span", { class: "pill", children: t5("captain") })
      ] }, `t${each.contest}`)),
      who.roles.map((each) => /* @__PURE__ */ a4("li", { class: "item", children: [
        /* @__PURE__ */ a4("a", { class: "item-main", href: each.contest ? pathTo(each.contest, each.role === "judge" ? "judge" : "organise") : "/admin", children: /* @__PURE__ */ a4("span", { class: "item-name", children: each.contest || t5("navAdmin") }) }),
        /* @__PURE__ */ a4("span", { class: "pill", children: wordOf("rolename_", each.role) })
      ] }, `r${each.contest}${each.role}`))
    ] }) }),
    /* @__PURE__ */ a4(Block, { title: t5("accountData"), children: /* @__PURE__ */ a4("div", { class: "panel", children: /* @__PURE__ */ a4(Form, { button: t5("save"), first: { name: who.name, mail: who.mail, language: who.language || lang.value }, keepAfter: true, onSend: async (values) => {
      await change("PATCH", "account", { name: values["name"] ?? "", mail: values["mail"] ?? "", language: values["language"] ?? "en", ...values["old"] ? { old: values["old"] } : {} });
      await findMe();
      return t5("saved");
    }, children: [
      /* @__PURE__ */ a4(Field, { name: "name", label: t5("yourName"), required: true, autocomplete: "name", maxLength: 100 }),
      /* @__PURE__ */ a4(Field, { name: "mail", label: t5("mail"), type: "email", autocomplete: "email", maxLength: 254, hint: who.mail === "" ? t5("mailHint") : t5(who.mail_ok ? "mailGood" : "mailOpen") }),
      /* @__PURE__ */ a4(Field, { name: "old", label: t5("oldPassword"), type: "password", autocomplete: "current-password", hint: t5("mailPassword") }),
      /* @__PURE__ */ a4(Field, { name: "language", label: t5("mailLanguage"), options: [["en", "English"], ["ja", "日本語"]] })
    ] }) }) }),
    /* @__PURE__ */ a4(Block, { title: t5("newPassword"), children: /* @__PURE__ */ a4("div", { class: "panel", children: /* @__PURE__ */ a4(Form, { button: t5("passwordChange"), quiet: true, onSend: async (values) => {
      await change("PATCH", "account", { old: values["old"] ?? "", password: values["password"] ?? "" });
      await findMe();
      if (!me.value) go("/login", "replace");
      return t5("saved");
    }, children: [
      /* @__PURE__ */ a4(Field, { name: "old", label: t5("oldPassword"), type: "password", required: true, autocomplete: "current-password" }),
      /* @__PURE__ */ a4(Field, { name: "password", label: t5("newPassword"), type: "password", required: true, autocomplete: "new-password", minLength: 12, maxLength: 256, hint: t5("passwordHint") })
    ] }) }) }),
    /* @__PURE__ */ a4(Tokens, {}),
    /* @__PURE__ */ a4(Logins, {}),
    /* @__PURE__ */ a4(Block, { title: t5("yourData"), children: [
      /* @__PURE__ */ a4("p", { class: "lead", children: t5("yourDataText") }),
      /* @__PURE__ */ a4("p", { class: "acts", children: /* @__PURE__ */ a4("a", { class: "button", href: "/api/v1/account/all", download: "account.json", children: t5("yourDataGet") }) }),
      /* @__PURE__ */ a4(Fold, { title: t5("accountDelete"), danger: true, children: [
        /* @__PURE__ */ a4("p", { class: "lead", children: t5("accountDeleteText") }),
        /* @__PURE__ */ a4(Form, { button: t5("accountDelete"), danger: true, onSend: async (values) => {
          await change("DELETE", "account", { password: values["password"] ?? "" });
          await findMe();
          go("/", "replace");
        }, children: /* @__PURE__ */ a4(Field, { name: "password", label: t5("password"), type: "password", required: true, autocomplete: "current-password" }) })
      ] })
    ] }),
    /* @__PURE__ */ a4("p", { class: "acts", children: /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => logOut().then(() => go("/"), (error) => toast(asTrouble(error).message, true)), children: t5("logOut") }) })
  ] });
}
var Account = () => /* @__PURE__ */ a4(Frame, { title: t5("accountTitle"), children: /* @__PURE__ */ a4(NeedLogin, { children: me.value && /* @__PURE__ */ a4(Own, { who: me.value }, me.value.id) }) });

// src/site/size.ts
function sizeText(bytes) {
  const units = ["KiB", "MiB", "GiB", "TiB"];
  if (bytes < 1024) return new Intl.NumberFormat(lang.value, { style: "unit", unit: "byte", unitDisplay: "long" }).format(bytes);
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${new Intl.NumberFormat(lang.value, { maximumFractionDigits: value < 100 ? 1 : 0 }).format(value)} ${units[unit]}`;
}

// src/site/DropFile.tsx
function DropFile({ file, onFile, accept, label, hint, wrong }) {
  const over2 = useSignal(false);
  const input = T2(null);
  const id = P2();
  return /* @__PURE__ */ a4(
    "div",
    {
      class: over2.value ? "dropfile over" : "dropfile",
      onDragOver: (event) => {
        event.preventDefault();
        over2.value = true;
      },
      onDragLeave: () => {
        over2.value = false;
      },
      onDrop: (event) => {
        event.preventDefault();
        over2.value = false;
        const dropped = event.dataTransfer?.files[0];
        if (dropped) onFile(dropped);
      },
      children: [
        /* @__PURE__ */ a4(
          "input",
          {
            class: "unseen-input",
            type: "file",
            id,
            ref: input,
            accept,
            "aria-invalid": wrong ? "true" : "false",
            "aria-describedby": `${id}-told`,
            onChange: (event) => {
              const chosen = event.currentTarget.files?.[0];
              if (chosen) onFile(chosen);
              event.currentTarget.value = "";
            }
          }
        ),
        /* @__PURE__ */ a4("label", { class: "button", for: id, children: label }),
        /* @__PURE__ */ a4("span", { id: `${id}-told`, children: [
          file ? /* @__PURE__ */ a4($, { children: [
            /* @__PURE__ */ a4("bdi", { class: "item-name", children: shown(file.name) }),
            " ",
            /* @__PURE__ */ a4("span", { class: "note", children: sizeText(file.size) })
          ] }) : /* @__PURE__ */ a4("span", { class: "note", children: [
            t5("orDrop"),
            hint && /* @__PURE__ */ a4($, { children: [
              " · ",
              hint
            ] })
          ] }),
          wrong && /* @__PURE__ */ a4($, { children: [
            /* @__PURE__ */ a4("br", {}),
            /* @__PURE__ */ a4("span", { class: "wrong", children: wrong })
          ] })
        ] })
      ]
    }
  );
}
var Going = ({ sent: sent2, all, stop }) => /* @__PURE__ */ a4("div", { class: "going", role: "status", children: [
  /* @__PURE__ */ a4("progress", { class: "progress", max: Math.max(all, 1), value: sent2, "aria-label": t5("uploading") }),
  /* @__PURE__ */ a4("span", { children: t5("uploadedOf", { sent: sizeText(sent2), all: sizeText(all) }) }),
  /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: stop, children: t5("stop") })
] });

// src/site/pages/Admin.tsx
var exampleFile = `contest: cup
title: {en: "A cup", ja: "大会"}
division: protocol
dates: {zone: Asia/Tokyo, opens: 2027-04-01 09:00, submission_closes: 2027-07-21 24:00, preliminary: 2027-07-22, preliminary_stops: 2027-08-04 24:00,
        revision_closes: 2027-08-18 24:00, final_stops: 2027-09-01, appeals_close: 2027-09-08}
register: {approve: false, members: 10, fields: [affiliation, contact], public: [affiliation]}
submit: {languages: [java, dotnet, python, native], file_bytes: 268435456}
testing: {at: ["03:00", "15:00"], parts: [{players: 5, sets_each: 1}, {players: 15, sets_each: 1}], fill: sample, on_error: suspend}
stages:
  - {name: preliminary, parts: [{players: 5}, {players: 15}], min_games: 1000, advance: 15, tie: extra}
  - {name: final, parts: [{players: 5}, {players: 15}], min_games: 10000, require: [source, description]}
conduct: {strikes: 3, confirm: true, sentence: strike, crash: strike, network: strike, write: strike, process: strike, thread: note}
publish: {logs: own, live: standings, sources: final}
`;
function NewContest() {
  const text = useSignal(exampleFile);
  return /* @__PURE__ */ a4(Block, { title: t5("contestNew"), children: [
    /* @__PURE__ */ a4("p", { class: "lead", children: t5("contestNewText") }),
    /* @__PURE__ */ a4("div", { class: "panel", children: /* @__PURE__ */ a4(Form, { button: t5("contestNew"), draft: "contest", first: { text: text.value }, onSend: async (values) => {
      const made2 = await change("POST", "contests", { text: values["text"] ?? "" });
      go(pathTo(made2.name, "organise"));
    }, children: [
      /* @__PURE__ */ a4("div", { class: "whole", children: /* @__PURE__ */ a4(DropFile, { file: null, label: t5("chooseFile"), accept: ".yml,.yaml,.txt", onFile: (file) => void file.text().then((read2) => {
        text.value = read2;
      }) }) }),
      /* @__PURE__ */ a4(Field, { name: "text", label: t5("contestFile"), required: true, rows: 20, mono: true })
    ] }, text.value) })
  ] });
}
function Accounts() {
  const accounts = useLoaded("accounts");
  const more = useSignal(null);
  const load = (cursor) => {
    get(`accounts?cursor=${encodeURIComponent(cursor)}`).then((page) => {
      more.value = { ...page, items: [...more.value?.items ?? [], ...page.items] };
    }, (error) => toast(asTrouble(error).message, true));
  };
  const link = useSignal(null);
  const give = (name2, made2) => made2.then((answer) => {
    link.value = { name: name2, link: answer.link };
  });
  return /* @__PURE__ */ a4(Block, { title: t5("accounts"), children: [
    link.value && /* @__PURE__ */ a4("div", { class: "panel gap", role: "status", children: [
      /* @__PURE__ */ a4("p", { children: t5("accountLink", { name: shown(link.value.name) }) }),
      /* @__PURE__ */ a4(Copy, { text: link.value.link, label: t5("passwordLink") })
    ] }),
    /* @__PURE__ */ a4(When, { of: accounts, children: (page) => {
      const next = more.value ? more.value.next : page.next;
      return /* @__PURE__ */ a4($, { children: [
        /* @__PURE__ */ a4("ul", { class: "items panel", children: [...page.items, ...more.value?.items ?? []].map((row) => /* @__PURE__ */ a4("li", { class: "item", children: [
          /* @__PURE__ */ a4("div", { class: "item-main", children: [
            /* @__PURE__ */ a4("bdi", { class: "item-name", children: shown(row.login) }),
            /* @__PURE__ */ a4("bdi", { class: "note", children: shown(row.name ?? "") })
          ] }),
          row.disabled && /* @__PURE__ */ a4("span", { class: "pill warn", children: t5("disabled") }),
          /* @__PURE__ */ a4("span", { class: "note item-when", children: /* @__PURE__ */ a4(When2, { at: row.created }) }),
          row.id !== me.value?.id && !row.disabled && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => void give(row.login, change("POST", `accounts/${row.id}/reset`)).catch((error) => toast(asTrouble(error).message, true)), children: [
            t5("passwordLink"),
            /* @__PURE__ */ a4("span", { class: "unseen", children: [
              " ",
              shown(row.login)
            ] })
          ] }),
          row.id !== me.value?.id && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => void change("PATCH", `accounts/${row.id}`, { disabled: row.disabled !== true }).then(() => {
            more.value = null;
            accounts.again();
          }, (error) => toast(asTrouble(error).message, true)), children: [
            t5(row.disabled ? "enable" : "disable"),
            /* @__PURE__ */ a4("span", { class: "unseen", children: [
              " ",
              shown(row.login)
            ] })
          ] })
        ] }, row.id)) }),
        next && /* @__PURE__ */ a4("p", { class: "after", children: /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => load(next), children: t5("more") }) })
      ] });
    } }),
    /* @__PURE__ */ a4(Fold, { title: t5("accountNew"), children: [
      /* @__PURE__ */ a4("p", { class: "lead", children: t5("accountNewText") }),
      /* @__PURE__ */ a4(Form, { button: t5("accountNew"), onSend: async (values) => {
        await give(values["login"] ?? "", change("POST", "accounts", { login: values["login"] ?? "", name: values["name"] ?? "", mail: values["mail"] ?? "" }));
        accounts.again();
      }, children: [
        /* @__PURE__ */ a4(Field, { name: "login", label: t5("loginName"), required: true, maxLength: 32, hint: t5("loginHint") }),
        /* @__PURE__ */ a4(Field, { name: "name", label: t5("yourNameOf"), maxLength: 100 }),
        /* @__PURE__ */ a4(Field, { name: "mail", label: t5("mail"), type: "email", maxLength: 254 })
      ] })
    ] })
  ] });
}
function Backup() {
  const folder = useSignal("");
  return /* @__PURE__ */ a4(Block, { title: t5("backup"), children: [
    /* @__PURE__ */ a4("p", { class: "lead", children: t5("backupText") }),
    folder.value && /* @__PURE__ */ a4("p", { class: "panel gap", role: "status", children: t5("backupDone", { folder: folder.value }) }),
    /* @__PURE__ */ a4(Form, { button: t5("backupNow"), quiet: true, onSend: async () => {
      folder.value = (await change("POST", "backup")).folder;
    } }),
    /* @__PURE__ */ a4(Copy, { text: "warg contest backup FOLDER --site SITE", label: t5("backup") })
  ] });
}
var Admin = () => /* @__PURE__ */ a4(Frame, { title: t5("navAdmin"), children: /* @__PURE__ */ a4(NeedLogin, { children: me.value?.admin ? /* @__PURE__ */ a4($, { children: [
  /* @__PURE__ */ a4(NewContest, {}),
  /* @__PURE__ */ a4(Accounts, {}),
  /* @__PURE__ */ a4(Backup, {})
] }) : /* @__PURE__ */ a4(Empty, { title: t5("onlyAdmins") }) }) });

// src/load.ts
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

// src/site/StatePill.tsx
var StatePill = ({ contest }) => /* @__PURE__ */ a4("span", { class: "pills", children: [
  contest.paused && /* @__PURE__ */ a4("span", { class: "pill warn", children: t5("paused") }),
  /* @__PURE__ */ a4("span", { class: `pill at-${contest.state}`, children: t5(`state_${contest.state}`) })
] });

// src/site/Inside.tsx
var hasFinalists = (contest) => (contest.stages?.length ?? 0) > 1 && ["REVISION", "FINAL", "JUDGING", "APPEALS", "PUBLISHED", "ARCHIVED"].includes(contest.state);
function standingIn(contest) {
  const own = me.value?.teams?.find((each) => each.contest === contest.name);
  const has = (role) => me.value?.roles?.some((each) => each.contest === contest.name && each.role === role) === true;
  return {
    team: contest.me?.team ?? own?.team ?? "",
    captain: contest.me?.captain ?? own?.captain ?? false,
    judge: contest.me?.judge ?? has("judge"),
    organiser: (contest.me?.organiser ?? has("organiser")) || me.value?.admin === true
  };
}
function useNews(contest, changed) {
  A2(() => {
    if (contest === "") return;
    let source;
    let timer;
    let tries = 0;
    const follow = () => {
      clearTimeout(timer);
      source?.close();
      source = void 0;
      if (document.visibilityState !== "visible") return;
      const own = new EventSource(`${api}contests/${encodeURIComponent(contest)}/events`);
      source = own;
      const told = /* @__PURE__ */ new Map();
      for (const kind of ["state", "round", "notice"])
        own.addEventListener(kind, (event) => {
          const before2 = told.get(kind);
          told.set(kind, String(event.data));
          if (kind === "notice" || before2 !== void 0 && before2 !== told.get(kind)) changed();
        });
      own.onopen = () => {
        if (tries > 0) changed();
        tries = 0;
      };
      own.onerror = () => {
        if (own.readyState === EventSource.CLOSED) timer = setTimeout(follow, pauseOf(tries++));
        else tries = Math.max(tries, 1);
      };
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      clearTimeout(timer);
      source?.close();
    };
  }, [contest]);
}
function Tabs({ contest }) {
  const { team, judge, organiser } = standingIn(contest);
  const tabs = [
    [pathTo(contest.name), t5("tabContest"), true],
    [pathTo(contest.name, "team", team), t5("tabTeam"), team !== ""],
    [pathTo(contest.name, "judge"), t5("tabJudge"), judge],
    [pathTo(contest.name, "organise"), t5("tabOrganise"), organiser],
    [pathTo(contest.name, "teams"), t5("tabTeams"), true],
    [pathTo(contest.name, "standings"), t5("tabStandings"), true],
    [pathTo(contest.name, "games"), t5("tabGames"), true],
    [pathTo(contest.name, "ledger"), t5("tabLedger"), true]
  ];
  const at = here.value.path;
  const nav = T2(null);
  A2(() => {
    const now = nav.current?.querySelector("[aria-current]");
    if (now && nav.current) nav.current.scrollLeft = now.offsetLeft - (nav.current.clientWidth - now.offsetWidth) / 2;
  }, [at, team]);
  return /* @__PURE__ */ a4("nav", { class: "tabs", "aria-label": t5("tabsLabel"), ref: nav, children: tabs.filter(([, , there]) => there).map(([to, word]) => /* @__PURE__ */ a4("a", { href: to, "aria-current": at === to || to !== pathTo(contest.name) && at.startsWith(`${to}/`) ? "page" : void 0, children: word }, to)) });
}
function Inside({ name: name2, title, wide, children }) {
  const loaded = useLoaded(`contests/${encodeURIComponent(name2)}`);
  useNews(name2, loaded.again);
  useEach(6e4, loaded.again);
  const who = me.value === void 0 ? void 0 : me.value?.id ?? "";
  const was = T2(who);
  A2(() => {
    if (was.current !== void 0 && who !== was.current) loaded.again();
    was.current = who;
  }, [who]);
  const contest = loaded.value.value;
  const called = contest ? both(contest.title) || contest.name : name2;
  return /* @__PURE__ */ a4(
    Frame,
    {
      title: title ? `${title} · ${called}` : called,
      wide: wide === true,
      heading: /* @__PURE__ */ a4($, { children: [
        /* @__PURE__ */ a4("a", { class: "homely", href: pathTo(name2), children: /* @__PURE__ */ a4("bdi", { children: shown(called) }) }),
        title && /* @__PURE__ */ a4("span", { class: "unseen", children: [
          " · ",
          title
        ] })
      ] }),
      below: contest ? /* @__PURE__ */ a4(Tabs, { contest }) : null,
      children: /* @__PURE__ */ a4(When, { of: loaded, children: (value) => /* @__PURE__ */ a4($, { children: [
        value.paused && /* @__PURE__ */ a4("p", { class: "warning", role: "status", children: [
          /* @__PURE__ */ a4("strong", { children: t5("paused") }),
          " ",
          t5("pausedLine")
        ] }),
        children({ contest: value, again: loaded.again })
      ] }) })
    }
  );
}
function Parts({ path, parts, now, label }) {
  return /* @__PURE__ */ a4("nav", { class: "parts", "aria-label": label, children: parts.map(([part, word, count], i4) => /* @__PURE__ */ a4("a", { href: i4 === 0 ? path : `${path}?part=${part}`, "aria-current": part === now ? "page" : void 0, children: [
    t5(word),
    count ? /* @__PURE__ */ a4("span", { class: "count", children: [
      " ",
      count
    ] }) : null
  ] }, part)) });
}
function partOf(parts) {
  const asked2 = here.value.query.get("part");
  return (parts.find(([part]) => part === asked2) ?? parts[0])[0];
}
function StateLine({ contest }) {
  const sentence2 = both(contest.sentence).replace(/^[A-Z]+[:：] ?/, "");
  return /* @__PURE__ */ a4("p", { class: "stateline", children: [
    /* @__PURE__ */ a4(StatePill, { contest }),
    sentence2 && /* @__PURE__ */ a4("span", { children: shown(sentence2) })
  ] });
}

// src/site/steps.ts
function nextSteps(contest, who, loggedIn) {
  const { name: name2, state, division } = contest;
  const team = pathTo(name2, "team", who.team);
  const steps = [];
  if (state === "OPEN" && who.team === "") steps.push({ to: `/register?contest=${name2}`, word: loggedIn ? "stepTeam" : "stepRegister", strong: true });
  if (state === "OPEN" && who.team === "" && !loggedIn) steps.push({ to: `/login?to=${encodeURIComponent(pathTo(name2))}`, word: "navLogin" });
  if (who.team !== "") {
    if (state === "OPEN") steps.push(division === "nlp" ? { to: `${team}?part=connect`, word: "stepConnect", strong: true } : { to: team, word: "stepUpload", strong: true });
    else if (state === "REVISION" && contest.me?.finalist !== false) steps.push({ to: `${team}?part=documents`, word: "stepDocuments", strong: true }, { to: team, word: "stepUpload" });
    else if (state === "APPEALS") steps.push({ to: `${team}?part=findings`, word: "stepAppeal", strong: true });
    else steps.push({ to: team, word: "tabTeam" });
  }
  if (who.judge && state === "JUDGING") steps.push({ to: pathTo(name2, "judge"), word: "stepJudge", strong: true });
  if (["PRELIMINARY", "REVISION", "FINAL", "JUDGING", "APPEALS", "PUBLISHED", "ARCHIVED"].includes(state)) steps.push({ to: pathTo(name2, "standings"), word: "stepStandings" });
  if (state === "PUBLISHED" || state === "ARCHIVED") steps.push({ to: pathTo(name2, "ledger"), word: "stepCheck" });
  if (who.organiser) steps.push({ to: pathTo(name2, "organise"), word: "tabOrganise" });
  return steps;
}

// src/site/pages/Contest.tsx
function Now({ contest }) {
  const steps = nextSteps(contest, standingIn(contest), me.value !== void 0 && me.value !== null);
  const next = nextDate(contest, siteNow());
  return /* @__PURE__ */ a4("section", { class: "panel nowbox", "aria-labelledby": "now", children: [
    /* @__PURE__ */ a4("h2", { id: "now", class: "unseen", children: t5("whatNow") }),
    /* @__PURE__ */ a4(StateLine, { contest }),
    /* @__PURE__ */ a4("p", { class: "lead", children: t5(`now_${contest.state}`) }),
    next && /* @__PURE__ */ a4("p", { class: "next", children: [
      /* @__PURE__ */ a4("strong", { children: t5(`begins_${next.state}`) }),
      " ",
      /* @__PURE__ */ a4(Moment, { at: next.ms, zone: zoneOf(contest) }),
      " ",
      /* @__PURE__ */ a4("span", { class: "pill now", children: /* @__PURE__ */ a4(Ahead, { ms: next.ms }) })
    ] }),
    steps.length > 0 && /* @__PURE__ */ a4("p", { class: "acts", children: steps.map(({ to, word, strong }) => /* @__PURE__ */ a4("a", { class: strong ? "button strong" : "button", href: to, children: t5(word) }, to)) })
  ] });
}
var Course = ({ contest }) => /* @__PURE__ */ a4(Block, { title: t5("dates"), tools: /* @__PURE__ */ a4("span", { class: "note", children: t5("datesZones", { yours: readersZone(), theirs: zoneOf(contest) }) }), children: /* @__PURE__ */ a4("ol", { class: "course panel", children: courseOf(contest).map((step) => /* @__PURE__ */ a4("li", { class: step.now ? "now" : step.done ? "done" : "", "aria-current": step.now ? "step" : void 0, children: [
  /* @__PURE__ */ a4("strong", { children: t5(`begins_${step.state}`) }),
  /* @__PURE__ */ a4("span", { children: Number.isNaN(step.ms) ? /* @__PURE__ */ a4("span", { class: "note", children: t5("dateOpen") }) : /* @__PURE__ */ a4(Moment, { at: step.ms, zone: zoneOf(contest) }) }),
  step.now && /* @__PURE__ */ a4("span", { class: "unseen", children: t5("itIsNow") })
] }, step.state)) }) });
var takes = (contest) => ["DRAFT", "OPEN", "FROZEN", "PRELIMINARY", "REVISION"].includes(contest.state);
function Rules({ contest }) {
  const { submit, stages = [], register } = contest;
  const languages = submit?.languages ?? [];
  const early = contest.state === "DRAFT" || contest.state === "OPEN";
  return /* @__PURE__ */ a4("div", { class: "pair", children: [
    early && contest.division === "protocol" && /* @__PURE__ */ a4(Block, { title: t5("howToEnter"), children: /* @__PURE__ */ a4("ol", { class: "panel howto", children: [
      /* @__PURE__ */ a4("li", { children: [
        t5(register?.approve ? "enter1Approve" : "enter1"),
        register?.members !== void 0 && /* @__PURE__ */ a4($, { children: [
          " ",
          t5("enterMembers", { n: register.members })
        ] })
      ] }),
      /* @__PURE__ */ a4("li", { children: [
        t5("enter2"),
        languages.length > 0 && /* @__PURE__ */ a4("ul", { class: "langs", children: languages.map((each) => /* @__PURE__ */ a4("li", { children: [
          /* @__PURE__ */ a4("strong", { children: wordOf("lang_", each) }),
          " ",
          /* @__PURE__ */ a4("span", { class: "note", children: t5(`form_${each}`) })
        ] }, each)) })
      ] }),
      /* @__PURE__ */ a4("li", { children: t5("enter3") }),
      /* @__PURE__ */ a4("li", { children: t5("enter4") })
    ] }) }),
    early && contest.division === "nlp" && /* @__PURE__ */ a4(Block, { title: t5("howToEnter"), children: /* @__PURE__ */ a4("ol", { class: "panel howto", children: [
      /* @__PURE__ */ a4("li", { children: t5(register?.approve ? "enter1Approve" : "enter1") }),
      /* @__PURE__ */ a4("li", { children: t5("enterNlp2") }),
      /* @__PURE__ */ a4("li", { children: t5("enterNlp3") }),
      /* @__PURE__ */ a4("li", { children: t5("enterNlp4") })
    ] }) }),
    /* @__PURE__ */ a4("div", { children: [
      stages.length > 0 && /* @__PURE__ */ a4(Block, { title: t5("stagesTitle"), children: /* @__PURE__ */ a4("ul", { class: "items panel", children: stages.map((stage) => /* @__PURE__ */ a4("li", { class: "item", children: /* @__PURE__ */ a4("div", { class: "item-main", children: [
        /* @__PURE__ */ a4("span", { class: "item-name", children: wordOf("stage_", stage.name) }),
        /* @__PURE__ */ a4("span", { class: "note", children: [
          (stage.parts ?? []).map((part) => t5("playersN", { n: part.players })).join(" + "),
          stage.min_games ? /* @__PURE__ */ a4($, { children: [
            " · ",
            t5("minGames", { n: stage.min_games })
          ] }) : null,
          stage.advance ? /* @__PURE__ */ a4($, { children: [
            " · ",
            t5("advanceN", { n: stage.advance })
          ] }) : null,
          stage.require && stage.require.length > 0 && /* @__PURE__ */ a4($, { children: [
            " · ",
            t5("requires", { what: stage.require.map((each) => wordOf("doc_", each)).join(t5("listComma")) })
          ] })
        ] })
      ] }) }, stage.name)) }) }),
      (contest.windows ?? contest.tracks ?? []).length > 0 && /* @__PURE__ */ a4(Block, { title: t5("tracks"), children: /* @__PURE__ */ a4("ul", { class: "items panel", children: (contest.windows ?? contest.tracks ?? []).map((each, i4) => /* @__PURE__ */ a4("li", { class: "item", children: /* @__PURE__ */ a4("div", { class: "item-main", children: [
        /* @__PURE__ */ a4("bdi", { class: "item-name", children: shown("track" in each ? each.track : each.name) }),
        /* @__PURE__ */ a4("span", { class: "note", children: [
          /* @__PURE__ */ a4(Moment, { at: each.from, zone: zoneOf(contest) }),
          each.to && /* @__PURE__ */ a4($, { children: [
            " – ",
            /* @__PURE__ */ a4(Moment, { at: each.to, zone: zoneOf(contest) })
          ] })
        ] })
      ] }) }, i4)) }) }),
      submit && takes(contest) && /* @__PURE__ */ a4(Block, { title: t5("limits"), children: /* @__PURE__ */ a4("dl", { class: "panel facts2", children: [
        submit.file_bytes !== void 0 && /* @__PURE__ */ a4($, { children: [
          /* @__PURE__ */ a4("dt", { children: t5("limitFile") }),
          /* @__PURE__ */ a4("dd", { children: sizeText(submit.file_bytes) })
        ] }),
        submit.tree_bytes !== void 0 && /* @__PURE__ */ a4($, { children: [
          /* @__PURE__ */ a4("dt", { children: t5("limitTree") }),
          /* @__PURE__ */ a4("dd", { children: sizeText(submit.tree_bytes) })
        ] }),
        submit.entries !== void 0 && /* @__PURE__ */ a4($, { children: [
          /* @__PURE__ */ a4("dt", { children: t5("limitEntries") }),
          /* @__PURE__ */ a4("dd", { children: num(submit.entries) })
        ] }),
        submit.versions_per_day !== void 0 && /* @__PURE__ */ a4($, { children: [
          /* @__PURE__ */ a4("dt", { children: t5("limitPerDay") }),
          /* @__PURE__ */ a4("dd", { children: num(submit.versions_per_day) })
        ] })
      ] }) })
    ] })
  ] });
}
function ContestPage({ contest: name2 }) {
  return /* @__PURE__ */ a4(Inside, { name: name2, children: ({ contest }) => /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4(Now, { contest }),
    /* @__PURE__ */ a4(Course, { contest }),
    /* @__PURE__ */ a4(Rules, { contest }),
    contest.division === "protocol" && takes(contest) && /* @__PURE__ */ a4(Block, { title: t5("atHome"), children: [
      /* @__PURE__ */ a4("p", { class: "lead", children: t5("atHomeText") }),
      /* @__PURE__ */ a4(Copy, { text: `warg contest check FILE --language ${contest.submit?.languages?.[0] ?? "LANGUAGE"} --contest ${location.origin}${pathTo(contest.name)}`, label: t5("atHome") }),
      /* @__PURE__ */ a4("p", { class: "below", children: /* @__PURE__ */ a4("a", { href: `/api/v1/contests/${encodeURIComponent(contest.name)}/environment`, children: t5("environment") }) })
    ] })
  ] }) });
}

// src/site/pages/Games.tsx
function Line({ contest, game }) {
  const teams = game.teams ?? [];
  return /* @__PURE__ */ a4("li", { class: "item", children: [
    /* @__PURE__ */ a4("a", { class: "item-main", href: pathTo(contest, "games", game.id), children: [
      /* @__PURE__ */ a4("span", { class: "item-name", children: [
        game.stage !== void 0 && /* @__PURE__ */ a4($, { children: [
          wordOf("stage_", game.stage),
          " · "
        ] }),
        t5("gameNumber", { n: String(game.game ?? game.id) })
      ] }),
      /* @__PURE__ */ a4("span", { class: "note", children: /* @__PURE__ */ a4("bdi", { children: shown(teams.join(", ")) }) })
    ] }),
    (game.counted === false || game.void) && /* @__PURE__ */ a4("span", { class: "pill warn", children: t5("notCounted") }),
    game.winner && /* @__PURE__ */ a4("span", { class: "pill", children: wordOf("won_", game.winner) }),
    /* @__PURE__ */ a4("span", { class: "note item-when", children: /* @__PURE__ */ a4(When2, { at: game.ended }) })
  ] });
}
function Body({ contest }) {
  const { query } = here.value;
  const stage = query.get("stage") ?? "";
  const team = query.get("team") ?? "";
  const asked2 = `contests/${encodeURIComponent(contest.name)}/games?stage=${encodeURIComponent(stage)}&team=${encodeURIComponent(team)}`;
  const found = useSignal(null);
  const trouble = useSignal(null);
  const load = (next = "") => {
    get(asked2 + (next ? `&cursor=${encodeURIComponent(next)}` : "")).then((page) => {
      trouble.value = null;
      found.value = { asked: asked2, items: [...next && found.value?.asked === asked2 ? found.value.items : [], ...page.items], next: page.next };
    }, (error) => {
      if (next) toast(asTrouble(error).message, true);
      else trouble.value = asTrouble(error);
    });
  };
  A2(() => load(), [asked2]);
  const own = standingIn(contest).team;
  const with_ = (name2, value) => {
    const changed = new URLSearchParams(query);
    if (value) changed.set(name2, value);
    else changed.delete(name2);
    const text = changed.toString();
    go(pathTo(contest.name, "games") + (text ? `?${text}` : ""), "replace");
  };
  const now = found.value?.asked === asked2 ? found.value : null;
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("div", { class: "fields filterline", children: [
      /* @__PURE__ */ a4("label", { class: "labelled", children: [
        t5("stages"),
        /* @__PURE__ */ a4("select", { class: "field", value: stage, onChange: (event) => with_("stage", event.currentTarget.value), children: [
          /* @__PURE__ */ a4("option", { value: "", children: t5("all") }),
          [...(contest.stages ?? []).map((each) => each.name), "testing"].map((each) => /* @__PURE__ */ a4("option", { value: each, children: wordOf("stage_", each) }, each))
        ] })
      ] }),
      /* @__PURE__ */ a4("label", { class: "labelled", children: [
        t5("team"),
        /* @__PURE__ */ a4("input", { class: "field", value: team, onChange: (event) => with_("team", event.currentTarget.value.trim()), autocomplete: "off" })
      ] }),
      own && /* @__PURE__ */ a4("button", { type: "button", class: "button", "aria-pressed": team === own, onClick: () => with_("team", team === own ? "" : own), children: t5("ownGames") })
    ] }),
    trouble.value ? /* @__PURE__ */ a4(Trouble, { trouble: trouble.value, again: () => load() }) : !now ? /* @__PURE__ */ a4(Loading, {}) : now.items.length === 0 ? /* @__PURE__ */ a4(Empty, { title: t5("noGames"), children: /* @__PURE__ */ a4("p", { children: t5("noGamesText") }) }) : /* @__PURE__ */ a4($, { children: [
      /* @__PURE__ */ a4("ul", { class: "items panel", children: now.items.map((game) => /* @__PURE__ */ a4(Line, { contest: contest.name, game }, game.id)) }),
      now.next && /* @__PURE__ */ a4("p", { class: "after", children: /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => load(now.next), children: t5("moreGames") }) })
    ] })
  ] });
}
var GamesPage = ({ contest }) => /* @__PURE__ */ a4(Inside, { name: contest, title: t5("tabGames"), children: (inside) => /* @__PURE__ */ a4(Body, { contest: inside.contest }) });
function One({ contest, id }) {
  const path = `contests/${encodeURIComponent(contest.name)}/games/${encodeURIComponent(id)}`;
  const loaded = useLoaded(path);
  const standing = standingIn(contest);
  const over2 = contest.state === "PUBLISHED" || contest.state === "ARCHIVED";
  const hasOutput = (game) => contest.division !== "nlp" && (game.seats?.some((seat) => seat.team !== "" && seat.team === standing.team) ?? false);
  return /* @__PURE__ */ a4(When, { of: loaded, children: (game) => /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("div", { class: "block-head", children: [
      /* @__PURE__ */ a4("h2", { children: [
        game.stage !== void 0 && /* @__PURE__ */ a4($, { children: [
          wordOf("stage_", game.stage),
          " · "
        ] }),
        t5("gameNumber", { n: String(game.game ?? game.id) })
      ] }),
      /* @__PURE__ */ a4(When2, { at: game.ended })
    ] }),
    /* @__PURE__ */ a4("p", { class: "acts", children: [
      game.log !== false && /* @__PURE__ */ a4("a", { class: "button strong", href: pathTo(contest.name, "games", game.id, "watch"), children: t5("watchGame") }),
      game.log !== false && /* @__PURE__ */ a4("a", { class: "button", href: `/api/v1/${path}/log`, download: true, children: t5("gameLog") }),
      hasOutput(game) && game.output_kept !== false && /* @__PURE__ */ a4("a", { class: "button", href: `/api/v1/${path}/output`, download: true, children: t5("gameOutput") }),
      (standing.organiser || over2) && game.log !== false && /* @__PURE__ */ a4("a", { class: "button", href: `/api/v1/${path}/exchange`, download: true, children: t5("gameExchange") }),
      standing.captain && /* @__PURE__ */ a4("a", { class: "button", href: `${pathTo(contest.name, "team", standing.team)}?part=findings&about=game&object=${encodeURIComponent(game.id)}`, children: t5("appealGame") })
    ] }),
    game.log === false && /* @__PURE__ */ a4("p", { class: "note", children: t5("gameNoLog") }),
    hasOutput(game) && game.output_kept === false && /* @__PURE__ */ a4("p", { class: "note", children: t5("gameOutputGone") }),
    game.seats && game.seats.length > 0 && /* @__PURE__ */ a4("div", { class: "panel scroll", tabIndex: 0, role: "region", "aria-label": t5("seats"), children: /* @__PURE__ */ a4("table", { class: "sheet", children: [
      /* @__PURE__ */ a4("thead", { children: /* @__PURE__ */ a4("tr", { children: [
        /* @__PURE__ */ a4("th", { scope: "col", class: "right", children: t5("seat") }),
        /* @__PURE__ */ a4("th", { scope: "col", children: t5("team") }),
        /* @__PURE__ */ a4("th", { scope: "col", children: t5("role") }),
        /* @__PURE__ */ a4("th", { scope: "col", children: t5("result") })
      ] }) }),
      /* @__PURE__ */ a4("tbody", { children: game.seats.map((seat) => /* @__PURE__ */ a4("tr", { children: [
        /* @__PURE__ */ a4("td", { class: "right", children: seat.seat }),
        /* @__PURE__ */ a4("th", { scope: "row", children: seat.team ? /* @__PURE__ */ a4("bdi", { children: shown(seat.team) }) : /* @__PURE__ */ a4("span", { class: "note", children: t5("seatSample") }) }),
        /* @__PURE__ */ a4("td", { children: seat.role ? wordOf("role_", seat.role) : "" }),
        /* @__PURE__ */ a4("td", { children: seat.won === void 0 ? "" : t5(seat.won ? "wonYes" : "wonNo") })
      ] }, seat.seat)) })
    ] }) }),
    /* @__PURE__ */ a4("p", { class: "below", children: /* @__PURE__ */ a4("a", { href: pathTo(contest.name, "games"), children: t5("allGames") }) })
  ] }) });
}
var GamePage = ({ contest, id }) => /* @__PURE__ */ a4(Inside, { name: contest, title: t5("tabGames"), children: (inside) => /* @__PURE__ */ a4(One, { contest: inside.contest, id }) });

// src/site/pages/Home.tsx
var titleOf = (contest) => both(contest.title) || contest.name;
function Line2({ contest }) {
  const next = nextDate(contest, siteNow());
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
        t5("inTime", { time: spanText(next.ms - siteNow()) }),
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
    going.length > 0 && /* @__PURE__ */ a4(Block, { title: t5("contestsNow"), children: /* @__PURE__ */ a4("ul", { class: "items panel", children: going.map((each) => /* @__PURE__ */ a4(Line2, { contest: each }, each.name)) }) }),
    past.length > 0 && /* @__PURE__ */ a4(Block, { title: t5("contestsPast"), children: /* @__PURE__ */ a4("ul", { class: "items panel", children: past.map((each) => /* @__PURE__ */ a4(Line2, { contest: each }, each.name)) }) })
  ] });
}
function Home() {
  const contests = useLoaded("contests");
  return /* @__PURE__ */ a4(Frame, { title: t5("contestSite"), children: /* @__PURE__ */ a4(When, { of: contests, children: (list) => /* @__PURE__ */ a4(Lists, { contests: list.items }) }) });
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

// src/site/pages/Register.tsx
var AccountFields = () => /* @__PURE__ */ a4($, { children: [
  /* @__PURE__ */ a4(Field, { name: "login", label: t5("loginName"), required: true, autocomplete: "username", maxLength: 32, hint: t5("loginHint") }),
  /* @__PURE__ */ a4(Field, { name: "password", label: t5("password"), type: "password", required: true, autocomplete: "new-password", minLength: 12, maxLength: 256, hint: t5("passwordHint") }),
  /* @__PURE__ */ a4(Field, { name: "name", label: t5("yourName"), required: true, autocomplete: "name", maxLength: 100 }),
  /* @__PURE__ */ a4(Field, { name: "mail", label: t5("mail"), type: "email", autocomplete: "email", maxLength: 254, hint: t5("mailHint") })
] });
async function makeAccount(values, invite = "") {
  const { login = "", password = "", name: name2 = "", mail = "" } = values;
  await ask("POST", "account", { login, password, name: name2, mail, language: lang.value, ...invite ? { invite } : {} });
  await findMe();
  if (!me.value) await logIn(login, password);
}
async function makeTeam(contest, values) {
  const { team = "", affiliation = "" } = values;
  try {
    await change("POST", `contests/${encodeURIComponent(contest)}/teams`, { name: team, affiliation });
  } catch (error) {
    const trouble = asTrouble(error);
    throw fieldOf(trouble) === "name" ? new ApiError(trouble.status, trouble.code, trouble.message, { error: { field: "team" } }) : trouble;
  }
  await findMe();
}
function Register() {
  const name2 = here.value.query.get("contest") ?? "";
  const loaded = useLoaded(name2 ? `contests/${encodeURIComponent(name2)}` : "");
  const contest = loaded.value.value;
  const own = contest && me.value?.teams.find((each) => each.contest === contest.name);
  if (me.value === void 0) return /* @__PURE__ */ a4(Frame, { title: t5("registerTitle"), narrow: true, children: /* @__PURE__ */ a4(Loading, {}) });
  const title = contest ? t5("registerFor", { contest: both(contest.title) || contest.name }) : t5("registerTitle");
  const done = async (values) => {
    if (!me.value) await makeAccount(values);
    if (!contest) return go(backTo(here.value.query), "replace");
    await makeTeam(contest.name, values);
    go(pathTo(contest.name, "team", values["team"] ?? ""), "replace");
  };
  return /* @__PURE__ */ a4(Frame, { title, narrow: true, children: own ? /* @__PURE__ */ a4("p", { class: "panel", children: [
    t5("haveTeam", { team: shown(own.team) }),
    " ",
    /* @__PURE__ */ a4("a", { href: pathTo(contest.name, "team", own.team), children: t5("tabTeam") })
  ] }) : me.value && !contest ? /* @__PURE__ */ a4("p", { class: "panel", children: [
    t5("loggedInAs", { name: shown(me.value.login) }),
    " ",
    /* @__PURE__ */ a4("a", { href: "/", children: t5("navContests") })
  ] }) : /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("p", { class: "lead", children: t5(contest ? contest.register?.approve ? "registerApprove" : "registerOne" : "registerText") }),
    /* @__PURE__ */ a4("div", { class: "panel", children: /* @__PURE__ */ a4(Form, { button: t5(contest ? "registerTeam" : "registerTitle"), draft: `register.${name2}`, onSend: done, children: [
      !me.value && /* @__PURE__ */ a4("fieldset", { children: [
        /* @__PURE__ */ a4("legend", { children: t5("you") }),
        /* @__PURE__ */ a4(AccountFields, {})
      ] }),
      contest && /* @__PURE__ */ a4("fieldset", { children: [
        /* @__PURE__ */ a4("legend", { children: t5("team") }),
        /* @__PURE__ */ a4(Field, { name: "team", label: t5("teamName"), required: true, maxLength: 32, hint: t5("teamNameHint") }),
        (contest.register?.fields ?? ["affiliation"]).includes("affiliation") && /* @__PURE__ */ a4(Field, { name: "affiliation", label: t5("affiliation"), maxLength: 200, hint: contest.register?.public?.includes("affiliation") ? t5("isPublic") : t5("isPrivate") })
      ] })
    ] }) }),
    !me.value && /* @__PURE__ */ a4("p", { class: "below", children: /* @__PURE__ */ a4("a", { href: `/login?to=${encodeURIComponent(here.value.path + (name2 ? `?contest=${name2}` : ""))}`, children: t5("haveAccount") }) })
  ] }) });
}

// src/site/pages/Invite.tsx
function landing(before2, now) {
  const team = now?.teams.find((each) => !before2?.teams.some((old) => old.contest === each.contest && old.team === each.team));
  if (team) return pathTo(team.contest, "team", team.team);
  const role = now?.roles.find((each) => !before2?.roles.some((old) => old.contest === each.contest && old.role === each.role));
  if (role?.contest) return pathTo(role.contest, role.role === "judge" ? "judge" : "organise");
  return now?.admin && !before2?.admin ? "/admin" : "/";
}
async function join(secret) {
  const before2 = me.value;
  await change("POST", "invite", { secret });
  await findMe();
  go(landing(before2, me.value), "replace");
}
function Confirm({ secret }) {
  return /* @__PURE__ */ a4(Frame, { title: t5("confirmTitle"), narrow: true, children: me.value ? /* @__PURE__ */ a4("div", { class: "panel", children: [
    /* @__PURE__ */ a4("p", { class: "lead", children: t5("confirmText", { name: shown(me.value.login) }) }),
    /* @__PURE__ */ a4(Form, { button: t5("confirmButton"), onSend: async () => {
      await change("POST", "invite", { secret });
      await findMe();
      go("/account", "replace");
    } })
  ] }) : /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("p", { class: "lead", children: t5("confirmLogin") }),
    /* @__PURE__ */ a4("p", { class: "acts", children: /* @__PURE__ */ a4("a", { class: "button strong", href: `/login?to=${encodeURIComponent(`${here.value.path}?confirm`)}`, children: t5("haveAccount") }) })
  ] }) });
}
function Invite({ id }) {
  if (me.value === void 0) return /* @__PURE__ */ a4(Frame, { title: t5("inviteTitle"), narrow: true, children: /* @__PURE__ */ a4(Loading, {}) });
  if (here.value.query.has("confirm")) return /* @__PURE__ */ a4(Confirm, { secret: id });
  return /* @__PURE__ */ a4(Frame, { title: t5("inviteTitle"), narrow: true, children: me.value ? /* @__PURE__ */ a4("div", { class: "panel", children: [
    /* @__PURE__ */ a4("p", { class: "lead", children: t5("inviteJoin", { name: shown(me.value.login) }) }),
    /* @__PURE__ */ a4(Form, { button: t5("inviteAccept"), onSend: () => join(id) })
  ] }) : /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("p", { class: "lead", children: t5("inviteText") }),
    /* @__PURE__ */ a4("p", { class: "acts", children: /* @__PURE__ */ a4("a", { class: "button strong", href: `/login?to=${encodeURIComponent(here.value.path)}`, children: t5("haveAccount") }) }),
    /* @__PURE__ */ a4("div", { class: "panel gap", children: /* @__PURE__ */ a4(Fold, { title: t5("inviteNew"), open: true, children: /* @__PURE__ */ a4(Form, { button: t5("registerTitle"), draft: "invite", onSend: async (values) => {
      await makeAccount(values, id);
      go(landing(null, me.value), "replace");
    }, children: /* @__PURE__ */ a4(AccountFields, {}) }) }) })
  ] }) });
}

// src/site/pages/Judge.tsx
var isSent = (sheet) => sheet.state === "DONE";
function Lines({ contest, sheets }) {
  return /* @__PURE__ */ a4("ul", { class: "items panel", children: sheets.map((sheet, i4) => /* @__PURE__ */ a4("li", { class: "item", children: [
    /* @__PURE__ */ a4("a", { class: "item-main", href: pathTo(contest, "judge", sheet.id), children: [
      /* @__PURE__ */ a4("span", { class: "item-name", children: [
        t5("sheetN", { n: String(i4 + 1) }),
        sheet.calibration && /* @__PURE__ */ a4("span", { class: "note", children: [
          " ",
          t5("calibration")
        ] })
      ] }),
      /* @__PURE__ */ a4("span", { class: "note", children: sheet.track && /* @__PURE__ */ a4("bdi", { children: shown(sheet.track) }) })
    ] }),
    /* @__PURE__ */ a4("span", { class: isSent(sheet) ? "pill good" : sheet.state === "DRAFT" ? "pill now" : "pill", children: wordOf("sheet_", sheet.state) })
  ] }, sheet.id)) });
}
function Body2({ contest }) {
  const loaded = useLoaded(`contests/${encodeURIComponent(contest.name)}/sheets`);
  return /* @__PURE__ */ a4(When, { of: loaded, children: ({ items }) => {
    if (items.length === 0) return /* @__PURE__ */ a4(Empty, { title: t5("noSheets"), children: /* @__PURE__ */ a4("p", { children: t5("noSheetsText") }) });
    const sent2 = items.filter(isSent).length;
    const criteria = [...new Set(items.map((sheet) => sheet.criterion))].sort();
    const next = items.find((sheet) => !isSent(sheet));
    return /* @__PURE__ */ a4($, { children: [
      /* @__PURE__ */ a4("section", { class: "panel nowbox", children: [
        /* @__PURE__ */ a4("p", { class: "lead", children: t5("sheetsDone", { done: String(sent2), n: items.length }) }),
        /* @__PURE__ */ a4("progress", { class: "progress", max: items.length, value: sent2, "aria-label": t5("sheetsDone", { done: String(sent2), n: items.length }) }),
        next ? /* @__PURE__ */ a4("p", { class: "acts", children: /* @__PURE__ */ a4("a", { class: "button strong", href: pathTo(contest.name, "judge", next.id), children: t5(sent2 === 0 ? "sheetFirst" : "sheetNext") }) }) : /* @__PURE__ */ a4("p", { children: t5("sheetsAll") }),
        /* @__PURE__ */ a4("p", { class: "note", children: t5("sheetsText") })
      ] }),
      criteria.map((criterion) => {
        const own = items.filter((sheet) => sheet.criterion === criterion);
        return /* @__PURE__ */ a4(Block, { title: /* @__PURE__ */ a4($, { children: [
          criterion,
          " · ",
          wordOf("criterion_", criterion)
        ] }), tools: /* @__PURE__ */ a4("span", { class: "note", children: [
          own.filter(isSent).length,
          " / ",
          own.length
        ] }), children: /* @__PURE__ */ a4(Lines, { contest: contest.name, sheets: own }) }, criterion);
      })
    ] });
  } });
}
var Judge = ({ contest }) => /* @__PURE__ */ a4(Inside, { name: contest, title: t5("tabJudge"), children: (inside) => /* @__PURE__ */ a4(NeedLogin, { children: /* @__PURE__ */ a4(Body2, { ...inside }) }) });

// src/site/merkle.ts
var sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
async function joined2(first, ...parts) {
  const all = new Uint8Array(1 + parts.reduce((sum, part) => sum + part.length, 0));
  all[0] = first;
  let at = 1;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return sha256(all);
}
var leafOf = (line) => joined2(0, new TextEncoder().encode(line));
async function rootOf(lines2) {
  const waiting = [];
  const merge = async () => {
    const right = waiting.pop();
    const left = waiting.pop();
    if (left && right) waiting.push({ size: left.size + right.size, hash: await joined2(1, left.hash, right.hash) });
  };
  for (const line of lines2) {
    waiting.push({ size: 1, hash: await leafOf(line) });
    while (waiting.length > 1 && waiting[waiting.length - 1]?.size === waiting[waiting.length - 2]?.size) await merge();
  }
  while (waiting.length > 1) await merge();
  return waiting[0]?.hash ?? sha256(new Uint8Array(0));
}
var base64 = (bytes) => btoa(String.fromCharCode(...bytes));
var hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
function bytesOfHex(text) {
  const clean = text.trim().toLowerCase();
  if (!/^(?:[0-9a-f]{2})*$/.test(clean)) return null;
  return new Uint8Array((clean.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
}
function checkpointOf(note) {
  const [origin = "", size = "", root = "", blank] = note.split("\n");
  if (origin === "" || !/^\d{1,15}$/.test(size) || !/^[A-Za-z0-9+/]{43}=$/.test(root) || blank !== "") return null;
  return { origin, size: Number(size), root };
}
var linesOf = (text) => text.split("\n").filter((line) => line !== "");

// src/site/pages/Ledger.tsx
var PAGE = 50;
var CHECK_MAX = 1e5;
function entryText(entry) {
  const say = (value) => {
    if (Array.isArray(value)) return value.length > 6 ? `${value.slice(0, 6).map(say).join(", ")} …` : value.map(say).join(", ");
    if (value !== null && typeof value === "object") return Object.entries(value).map(([key, inside]) => `${key} ${say(inside)}`).join(", ");
    return String(value).replace(/[0-9a-f]{40,}/g, (digest) => `${digest.slice(0, 12)}…`);
  };
  return Object.entries(entry).filter(([key]) => !["n", "at", "type"].includes(key)).map(([key, value]) => `${key} ${say(value)}`).join(" · ");
}
function entriesOf(text) {
  return linesOf(text).flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}
var isoOf = (at) => typeof at === "number" ? new Date(at).toISOString() : at;
function InBrowser({ path, checkpoint }) {
  const checked = useSignal({ state: "none" });
  const check = async () => {
    checked.value = { state: "busy" };
    try {
      const note = checkpointOf(await getText(`${path}/checkpoint`));
      if (!note) throw new Error(t5("noCheckpoint"));
      const lines2 = [];
      while (lines2.length < note.size) {
        const more = linesOf(await getText(`${path}/ledger?from=${lines2.length}&to=${note.size}`));
        if (more.length === 0) break;
        lines2.push(...more);
      }
      const good = lines2.length >= note.size && base64(await rootOf(lines2.slice(0, note.size))) === note.root;
      checked.value = { state: good ? "good" : "bad", size: note.size };
    } catch (error) {
      checked.value = { state: "wrong", text: asTrouble(error).message };
    }
  };
  const now = checked.value;
  return /* @__PURE__ */ a4("div", { class: "checkline", children: [
    /* @__PURE__ */ a4("button", { type: "button", class: "button", "aria-disabled": now.state === "busy", onClick: () => {
      if (now.state !== "busy") void check();
    }, children: t5(now.state === "busy" ? "checking" : "checkHere") }),
    /* @__PURE__ */ a4("span", { role: "status", class: now.state === "good" ? "good-text" : now.state === "bad" || now.state === "wrong" ? "bad-text" : "", children: [
      now.state === "good" && t5("checkGood", { n: now.size }),
      now.state === "bad" && t5("checkBad"),
      now.state === "wrong" && shown(now.text)
    ] }),
    checkpoint.size > CHECK_MAX && /* @__PURE__ */ a4("span", { class: "note", children: t5("checkLong") })
  ] });
}
function Body3({ contest }) {
  const path = `contests/${encodeURIComponent(contest.name)}`;
  const address = `${location.origin}/api/v1/${path}`;
  const note = useSignal(null);
  const entries = useSignal([]);
  const trouble = useSignal("");
  const from = useSignal(0);
  const load = async (before2) => {
    try {
      const text = await getText(`${path}/checkpoint`);
      note.value = text;
      const end = before2 ?? checkpointOf(text)?.size ?? 0;
      const start = Math.max(0, end - PAGE);
      const got = entriesOf(await getText(`${path}/ledger?from=${start}`)).filter((entry) => before2 === void 0 || entry.n < before2);
      from.value = start;
      entries.value = [...before2 === void 0 ? [] : entries.value, ...got.reverse()];
      trouble.value = "";
    } catch (error) {
      trouble.value = asTrouble(error).message;
    }
  };
  A2(() => void load(), [contest.name]);
  const checkpoint = note.value === null ? null : checkpointOf(note.value);
  return /* @__PURE__ */ a4($, { children: [
    trouble.value && /* @__PURE__ */ a4("p", { class: "form-trouble", role: "alert", children: shown(trouble.value) }),
    /* @__PURE__ */ a4(Block, { title: t5("ledgerTitle"), tools: checkpoint && /* @__PURE__ */ a4("span", { class: "note", children: t5("entriesN", { n: checkpoint.size }) }), children: [
      /* @__PURE__ */ a4("p", { class: "lead", children: t5("ledgerText") }),
      checkpoint && /* @__PURE__ */ a4(InBrowser, { path, checkpoint }),
      entries.value.length === 0 && !trouble.value && note.value !== null && /* @__PURE__ */ a4(Empty, { title: t5("ledgerEmpty") }),
      entries.value.length > 0 && /* @__PURE__ */ a4("ul", { class: "items panel ledger", children: entries.value.map((entry) => /* @__PURE__ */ a4("li", { class: "item", children: [
        /* @__PURE__ */ a4("span", { class: "number", children: num(entry.n) }),
        /* @__PURE__ */ a4("div", { class: "item-main", children: [
          /* @__PURE__ */ a4("span", { class: "item-name", children: wordOf("entry_", entry.type) }),
          /* @__PURE__ */ a4("bdi", { class: "note", children: shown(entryText(entry)) })
        ] }),
        /* @__PURE__ */ a4("span", { class: "note item-when", children: /* @__PURE__ */ a4(When2, { at: isoOf(entry.at) }) })
      ] }, entry.n)) }),
      from.value > 0 && /* @__PURE__ */ a4("p", { class: "after", children: /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => void load(from.value), children: t5("ledgerEarlier") }) })
    ] }),
    note.value && /* @__PURE__ */ a4(Block, { title: t5("checkpoint"), children: [
      /* @__PURE__ */ a4("p", { class: "lead", children: t5("checkpointText") }),
      /* @__PURE__ */ a4("pre", { class: "panel note-text", tabIndex: 0, children: shown(note.value) })
    ] }),
    /* @__PURE__ */ a4(Block, { title: t5("howToCheck"), children: [
      /* @__PURE__ */ a4("p", { class: "lead", children: t5("howToCheckText") }),
      /* @__PURE__ */ a4(Copy, { text: `curl -O ${address}/ledger -O ${address}/checkpoint -O ${address}/key -o bundle.tar.gz ${address}/bundle`, label: t5("commandFetch") }),
      /* @__PURE__ */ a4(Copy, { text: `tar -xzf bundle.tar.gz && warg audit ${contest.name} --key "$(cat key)" --checkpoint checkpoint`, label: t5("commandAudit") }),
      /* @__PURE__ */ a4("p", { class: "below", children: [
        /* @__PURE__ */ a4("a", { href: `/api/v1/${path}/ledger`, download: `${contest.name}-ledger.jsonl`, children: "ledger.jsonl" }),
        /* @__PURE__ */ a4("a", { href: `/api/v1/${path}/checkpoint`, download: `${contest.name}-checkpoint`, children: "checkpoint" }),
        (contest.state === "PUBLISHED" || contest.state === "ARCHIVED") && /* @__PURE__ */ a4("a", { href: `/api/v1/${path}/bundle`, download: `${contest.name}.tar.gz`, children: t5("bundle") }),
        /* @__PURE__ */ a4("a", { href: pathTo(contest.name, "standings"), children: t5("tabStandings") })
      ] })
    ] })
  ] });
}
var LedgerPage = ({ contest }) => /* @__PURE__ */ a4(Inside, { name: contest, title: t5("tabLedger"), children: (inside) => /* @__PURE__ */ a4(Body3, { contest: inside.contest }) });

// src/site/pages/Missing.tsx
var Missing = () => /* @__PURE__ */ a4(Frame, { title: t5("missingTitle"), children: /* @__PURE__ */ a4("div", { class: "blank", children: [
  /* @__PURE__ */ a4(Mark, {}),
  /* @__PURE__ */ a4("p", { children: t5("trouble404") }),
  /* @__PURE__ */ a4("p", { class: "acts", children: /* @__PURE__ */ a4("a", { class: "button strong", href: "/", children: t5("toHome") }) })
] }) });

// src/site/diff.ts
function diffLines(before2, after) {
  const a5 = before2.split("\n");
  const b3 = after.split("\n");
  let head = 0;
  while (head < a5.length && head < b3.length && a5[head] === b3[head]) head++;
  let tail = 0;
  while (tail < a5.length - head && tail < b3.length - head && a5[a5.length - 1 - tail] === b3[b3.length - 1 - tail]) tail++;
  const x3 = a5.slice(head, a5.length - tail);
  const y5 = b3.slice(head, b3.length - tail);
  const wide = y5.length + 1;
  const best = new Uint32Array((x3.length + 1) * wide);
  for (let i5 = x3.length - 1; i5 >= 0; i5--)
    for (let j5 = y5.length - 1; j5 >= 0; j5--)
      best[i5 * wide + j5] = x3[i5] === y5[j5] ? best[(i5 + 1) * wide + j5 + 1] + 1 : Math.max(best[(i5 + 1) * wide + j5], best[i5 * wide + j5 + 1]);
  const made2 = a5.slice(0, head).map((text) => ({ kind: "same", text }));
  let i4 = 0;
  let j4 = 0;
  while (i4 < x3.length || j4 < y5.length) {
    if (i4 < x3.length && j4 < y5.length && x3[i4] === y5[j4]) {
      made2.push({ kind: "same", text: x3[i4] });
      i4++;
      j4++;
    } else if (i4 < x3.length && (j4 >= y5.length || best[(i4 + 1) * wide + j4] >= best[i4 * wide + j4 + 1])) made2.push({ kind: "out", text: x3[i4++] });
    else made2.push({ kind: "in", text: y5[j4++] });
  }
  return [...made2, ...a5.slice(a5.length - tail).map((text) => ({ kind: "same", text }))];
}
function shortDiff(lines2, around = 2) {
  const near = lines2.map((_3, at) => lines2.slice(Math.max(0, at - around), at + around + 1).some((line) => line.kind !== "same"));
  const made2 = [];
  lines2.forEach((line, at) => {
    if (near[at]) made2.push(line);
    else if (made2.length > 0 ? made2[made2.length - 1] !== null : near.includes(true)) made2.push(null);
  });
  return made2;
}

// src/site/pages/OrganiseRules.tsx
var signs = { same: " ", out: "−", in: "+" };
function Diff({ before: before2, after }) {
  if (before2 === after) return /* @__PURE__ */ a4("p", { class: "note whole", children: t5("noChange") });
  const lines2 = shortDiff(diffLines(before2, after));
  return /* @__PURE__ */ a4("div", { class: "diff panel whole", tabIndex: 0, role: "region", "aria-label": t5("whatChanges"), children: lines2.map((line, i4) => line === null ? /* @__PURE__ */ a4("div", { class: "cut", children: "⋯" }, i4) : /* @__PURE__ */ a4("div", { class: line.kind, children: [
    /* @__PURE__ */ a4("span", { "aria-hidden": "true", children: [
      signs[line.kind],
      " "
    ] }),
    line.kind !== "same" && /* @__PURE__ */ a4("span", { class: "unseen", children: [
      t5(line.kind === "in" ? "diffIn" : "diffOut"),
      ": "
    ] }),
    shown(line.text)
  ] }, i4)) });
}
var Text = ({ text, children }) => text === void 0 ? /* @__PURE__ */ a4(Loading, {}) : /* @__PURE__ */ a4($, { children: children(text) });
var DiffOf = ({ before: before2 }) => /* @__PURE__ */ a4(Diff, { before: before2, after: useValue("text") });
function AmendPart({ contest, again }) {
  const path = `contests/${encodeURIComponent(contest.name)}`;
  const begun = draftOf(`amend.${contest.name}`)["text"] !== void 0;
  if (!begun) keep(`amends.${contest.name}`, contest.digest ?? "");
  const old = begun && kept(`amends.${contest.name}`) !== (contest.digest ?? "");
  return /* @__PURE__ */ a4(Block, { title: t5("partRules"), children: [
    /* @__PURE__ */ a4("p", { class: "lead", children: t5("amendText") }),
    old && /* @__PURE__ */ a4("p", { class: "warning", role: "alert", children: t5("amendOld") }),
    /* @__PURE__ */ a4(Text, { text: contest.text, children: (text) => /* @__PURE__ */ a4("div", { class: "panel", children: /* @__PURE__ */ a4(Form, { button: t5("amendSend"), danger: contest.state !== "DRAFT", draft: `amend.${contest.name}`, first: { text }, keepAfter: true, onSend: async (values) => {
      await change("POST", `${path}/amend`, { text: values["text"] ?? "", reason: values["reason"] ?? "" });
      again();
      return t5("done");
    }, children: [
      /* @__PURE__ */ a4(Field, { name: "text", label: t5("contestFile"), required: true, rows: 24, mono: true }),
      /* @__PURE__ */ a4(DiffOf, { before: text }),
      /* @__PURE__ */ a4(Field, { name: "reason", label: t5("reason"), required: contest.state !== "DRAFT", rows: 3, maxLength: 4e3, hint: t5("reasonPublic") })
    ] }, text) }) })
  ] });
}

// src/site/pages/TeamFindings.tsx
var findingPill = (finding) => finding.state === "PROPOSED" || finding.decision === "eliminate" ? "pill warn" : finding.state === "RULED" || finding.state === "NOTED" ? "pill" : "pill now";
function insideText(value) {
  if (Array.isArray(value)) return value.map(insideText).join("; ");
  return value !== null && typeof value === "object" ? Object.entries(value).map(([key, inside]) => `${key} ${insideText(inside)}`).join(", ") : String(value);
}
function evidenceText(evidence) {
  if (typeof evidence === "string") return evidence;
  if (!Array.isArray(evidence)) return evidence === null || evidence === void 0 ? "" : evidenceText([evidence]);
  return evidence.map((each) => each !== null && typeof each === "object" ? Object.entries(each).map(([key, value]) => `${key} ${insideText(value)}`).join(" · ") : String(each)).join("\n");
}
var FindingHead = ({ finding }) => /* @__PURE__ */ a4("div", { class: "item", children: [
  /* @__PURE__ */ a4("div", { class: "item-main", children: [
    /* @__PURE__ */ a4("span", { class: "item-name", children: [
      wordOf("rule_", finding.rule),
      " ",
      /* @__PURE__ */ a4("span", { class: "note", children: t5("findingN", { n: finding.id }) })
    ] }),
    /* @__PURE__ */ a4("bdi", { children: shown(finding.text) }),
    /* @__PURE__ */ a4("span", { class: "note", children: [
      finding.stage && /* @__PURE__ */ a4($, { children: [
        wordOf("stage_", finding.stage),
        " · "
      ] }),
      finding.count !== void 0 && /* @__PURE__ */ a4($, { children: [
        t5("timesN", { n: finding.count }),
        finding.games ? /* @__PURE__ */ a4($, { children: [
          " / ",
          t5("gamesN", { n: finding.games })
        ] }) : null,
        " · "
      ] }),
      finding.game !== void 0 && finding.game !== null && /* @__PURE__ */ a4($, { children: [
        t5("gameNumber", { n: String(finding.game) }),
        " · "
      ] }),
      finding.day !== void 0 && /* @__PURE__ */ a4($, { children: [
        t5("dayNumber", { n: String(finding.day) }),
        " · "
      ] }),
      finding.version !== void 0 && finding.version !== null && /* @__PURE__ */ a4($, { children: [
        t5("versionN", { n: finding.version }),
        " · "
      ] }),
      /* @__PURE__ */ a4(When2, { at: finding.at })
    ] })
  ] }),
  /* @__PURE__ */ a4("span", { class: findingPill(finding), children: wordOf("finding_", finding.state) })
] });
var FindingMore = ({ finding }) => /* @__PURE__ */ a4($, { children: [
  evidenceText(finding.evidence) && /* @__PURE__ */ a4("pre", { class: "evidence", tabIndex: 0, children: shown(evidenceText(finding.evidence)) }),
  finding.answer && /* @__PURE__ */ a4("p", { children: [
    /* @__PURE__ */ a4("strong", { children: t5("teamAnswer") }),
    " ",
    /* @__PURE__ */ a4("bdi", { class: "pre", children: shown(finding.answer) })
  ] }),
  finding.decision && /* @__PURE__ */ a4("p", { children: [
    /* @__PURE__ */ a4("strong", { children: t5("ruling") }),
    " ",
    wordOf("decision_", finding.decision),
    finding.reason && /* @__PURE__ */ a4($, { children: [
      " – ",
      /* @__PURE__ */ a4("bdi", { class: "pre", children: shown(finding.reason) })
    ] })
  ] })
] });
var AppealRow = ({ appeal, children }) => /* @__PURE__ */ a4("li", { class: "version", children: [
  /* @__PURE__ */ a4("div", { class: "item", children: [
    /* @__PURE__ */ a4("div", { class: "item-main", children: [
      /* @__PURE__ */ a4("span", { class: "item-name", children: [
        wordOf("about_", appeal.about),
        appeal.object && /* @__PURE__ */ a4($, { children: [
          " ",
          shown(String(appeal.object))
        ] }),
        " ",
        /* @__PURE__ */ a4("span", { class: "note", children: [
          t5("appealN", { n: appeal.id }),
          appeal.team && /* @__PURE__ */ a4($, { children: [
            " · ",
            /* @__PURE__ */ a4("bdi", { children: shown(appeal.team) })
          ] })
        ] })
      ] }),
      /* @__PURE__ */ a4("bdi", { class: "pre", children: shown(appeal.text) }),
      /* @__PURE__ */ a4("span", { class: "note", children: /* @__PURE__ */ a4(When2, { at: appeal.opened }) })
    ] }),
    /* @__PURE__ */ a4("span", { class: appeal.state === "OPEN" ? "pill now" : appeal.state === "GRANTED" ? "pill good" : "pill", children: wordOf("appeal_", appeal.state) })
  ] }),
  (appeal.answer || children || evidenceText(appeal.evidence)) && /* @__PURE__ */ a4("div", { class: "version-body", children: [
    evidenceText(appeal.evidence) && /* @__PURE__ */ a4("pre", { class: "evidence", tabIndex: 0, children: shown(evidenceText(appeal.evidence)) }),
    appeal.answer && /* @__PURE__ */ a4("p", { children: [
      /* @__PURE__ */ a4("strong", { children: t5("ruling") }),
      " ",
      /* @__PURE__ */ a4("bdi", { class: "pre", children: shown(appeal.answer) })
    ] }),
    children
  ] })
] });
function Row({ finding, props }) {
  const { contest, again } = props;
  const may = finding.state !== "RULED" && !finding.answer && props.standing.team === props.team.name;
  return /* @__PURE__ */ a4("li", { class: "version", children: [
    /* @__PURE__ */ a4(FindingHead, { finding }),
    /* @__PURE__ */ a4("div", { class: "version-body", children: [
      /* @__PURE__ */ a4(FindingMore, { finding }),
      may && /* @__PURE__ */ a4(Fold, { title: /* @__PURE__ */ a4($, { children: [
        t5("answerFinding"),
        /* @__PURE__ */ a4("span", { class: "unseen", children: [
          " ",
          finding.id
        ] })
      ] }), open: finding.state === "PROPOSED", children: [
        finding.state === "PROPOSED" && /* @__PURE__ */ a4("p", { class: "lead", children: t5("answerText") }),
        /* @__PURE__ */ a4(Form, { button: t5("answerFinding"), draft: `answer.${finding.id}`, onSend: async (values) => {
          await change("POST", `contests/${encodeURIComponent(contest.name)}/findings/${finding.id}/answer`, { text: values["text"] ?? "" });
          again();
          return t5("done");
        }, children: /* @__PURE__ */ a4(Field, { name: "text", label: t5("yourAnswer"), required: true, rows: 5, maxLength: 8e3 }) })
      ] })
    ] })
  ] });
}
function Findings(props) {
  const { contest, team, path, standing, again } = props;
  const asked2 = here.value.query;
  const takes2 = !["DRAFT", "PUBLISHED", "ARCHIVED", "CANCELLED"].includes(contest.state);
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4(Block, { title: t5("partFindings"), children: team.findings.length === 0 ? /* @__PURE__ */ a4(Empty, { title: t5("noFindings") }) : /* @__PURE__ */ a4("ul", { class: "panel versions", children: team.findings.map((finding) => /* @__PURE__ */ a4(Row, { finding, props }, finding.id)) }) }),
    /* @__PURE__ */ a4(Block, { title: t5("appeals"), children: [
      team.appeals.length > 0 && /* @__PURE__ */ a4("ul", { class: "panel versions gap", children: team.appeals.map((appeal) => /* @__PURE__ */ a4(AppealRow, { appeal }, appeal.id)) }),
      standing.captain && takes2 && /* @__PURE__ */ a4(Fold, { title: t5("appealNew"), open: asked2.has("about"), children: [
        /* @__PURE__ */ a4("p", { class: "lead", children: t5("appealText") }),
        /* @__PURE__ */ a4(Form, { button: t5("appealSend"), draft: `appeal.${contest.name}`, first: { about: asked2.get("about") ?? "finding", object: asked2.get("object") ?? "" }, onSend: async (values) => {
          await change("POST", `${path}/appeals`, { about: values["about"] ?? "finding", object: values["object"] ?? "", text: values["text"] ?? "" });
          again();
          return t5("done");
        }, children: [
          /* @__PURE__ */ a4(Field, { name: "about", label: t5("appealAbout"), options: [["finding", t5("about_finding")], ["game", t5("about_game")], ["rank", t5("about_rank")]] }),
          /* @__PURE__ */ a4(Field, { name: "object", label: t5("appealObject"), maxLength: 100, hint: t5("appealObjectHint") }),
          /* @__PURE__ */ a4(Field, { name: "text", label: t5("appealReason"), required: true, rows: 6, maxLength: 8e3 })
        ] })
      ] }),
      !standing.captain && team.appeals.length === 0 && /* @__PURE__ */ a4("p", { class: "note", children: t5("noAppeals") })
    ] })
  ] });
}

// src/site/pages/Teams.tsx
var TeamPill = ({ team }) => /* @__PURE__ */ a4("span", { class: team.state === "IN" ? "pill good" : team.state === "OUT" ? "pill warn" : "pill", children: wordOf("team_", team.state) });
function List({ contest }) {
  const teams = useLoaded(`contests/${encodeURIComponent(contest.name)}/teams`);
  const { team: own, organiser } = standingIn(contest);
  return /* @__PURE__ */ a4(When, { of: teams, children: ({ items }) => items.length === 0 ? /* @__PURE__ */ a4(Empty, { title: t5("noTeams") }) : /* @__PURE__ */ a4("ul", { class: "items panel", children: items.map((team) => {
    const inside = /* @__PURE__ */ a4($, { children: [
      /* @__PURE__ */ a4("bdi", { class: "item-name", children: shown(team.name) }),
      team.affiliation && /* @__PURE__ */ a4("bdi", { class: "note", children: shown(team.affiliation) })
    ] });
    return /* @__PURE__ */ a4("li", { class: "item", children: [
      team.name === own || organiser ? /* @__PURE__ */ a4("a", { class: "item-main", href: pathTo(contest.name, "team", team.name), children: inside }) : /* @__PURE__ */ a4("div", { class: "item-main", children: inside }),
      team.organiser && /* @__PURE__ */ a4("span", { class: "pill warn", children: t5("organisersTeam") }),
      team.version ? /* @__PURE__ */ a4("span", { class: "note", children: t5("versionN", { n: team.version }) }) : null,
      team.finalist && hasFinalists(contest) ? /* @__PURE__ */ a4("span", { class: "pill good", children: t5("finalist") }) : /* @__PURE__ */ a4(TeamPill, { team })
    ] }, team.name);
  }) }) });
}
var TeamsPage = ({ contest }) => /* @__PURE__ */ a4(Inside, { name: contest, title: t5("tabTeams"), children: (inside) => /* @__PURE__ */ a4(List, { contest: inside.contest }) });

// src/site/pages/OrganiseTeams.tsx
function TeamsPart({ contest }) {
  const base2 = `contests/${encodeURIComponent(contest.name)}`;
  const teams = useLoaded(`${base2}/teams`);
  const act = (promise) => {
    promise.then(() => {
      toast(t5("done"));
      teams.again();
    }, (error) => toast(asTrouble(error).message, true));
  };
  return /* @__PURE__ */ a4(When, { of: teams, children: ({ items }) => items.length === 0 ? /* @__PURE__ */ a4(Empty, { title: t5("noTeams") }) : /* @__PURE__ */ a4("ul", { class: "panel versions", children: items.map((team) => {
    const one = `${base2}/teams/${encodeURIComponent(team.name)}`;
    return /* @__PURE__ */ a4("li", { class: "version", children: /* @__PURE__ */ a4("div", { class: "item", children: [
      /* @__PURE__ */ a4("a", { class: "item-main", href: pathTo(contest.name, "team", team.name), children: [
        /* @__PURE__ */ a4("bdi", { class: "item-name", children: shown(team.name) }),
        team.affiliation && /* @__PURE__ */ a4("bdi", { class: "note", children: shown(team.affiliation) }),
        team.same && team.same.length > 0 && /* @__PURE__ */ a4("span", { class: "bad-text", children: t5("sameFiles", { teams: shown(team.same.join(", ")) }) })
      ] }),
      team.version ? /* @__PURE__ */ a4("span", { class: "note", children: t5("versionN", { n: team.version }) }) : null,
      /* @__PURE__ */ a4(TeamPill, { team }),
      team.state === "WAITING" && /* @__PURE__ */ a4("button", { type: "button", class: "button strong", onClick: () => act(change("POST", `${one}/approve`)), children: [
        t5("approve"),
        /* @__PURE__ */ a4("span", { class: "unseen", children: [
          " ",
          shown(team.name)
        ] })
      ] }),
      team.state === "WAITING" && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => act(change("POST", `${one}/refuse`)), children: [
        t5("refuse"),
        /* @__PURE__ */ a4("span", { class: "unseen", children: [
          " ",
          shown(team.name)
        ] })
      ] })
    ] }) }, team.name);
  }) }) });
}
var decided = (finding) => finding.state === "RULED";
function FailedRow({ base: base2, ruling, again }) {
  return /* @__PURE__ */ a4("li", { class: "version", children: [
    /* @__PURE__ */ a4("p", { children: [
      /* @__PURE__ */ a4("bdi", { children: shown(ruling.team) }),
      " · ",
      wordOf("stage_", ruling.stage),
      " · ",
      ruling.about === "finding" ? wordOf("rule_", ruling.rule ?? "") : `${wordOf("about_", ruling.about)} ${ruling.number ?? ""}`,
      ": ",
      t5("notCarriedOut")
    ] }),
    /* @__PURE__ */ a4("div", { class: "version-body", children: [
      /* @__PURE__ */ a4("p", { children: shown(ruling.why) }),
      /* @__PURE__ */ a4("p", { class: "note", children: shown(ruling.reason) }),
      /* @__PURE__ */ a4(Fold, { title: /* @__PURE__ */ a4($, { children: [
        t5("closeRuling"),
        /* @__PURE__ */ a4("span", { class: "unseen", children: [
          " ",
          ruling.id
        ] })
      ] }), open: true, children: /* @__PURE__ */ a4(Form, { button: t5("closeRuling"), draft: `close.${ruling.id}`, onSend: async (values) => {
        await change("POST", `${base2}/rulings`, { ruling: ruling.id, decision: "close", reason: values["reason"] ?? "" });
        again();
        return t5("done");
      }, children: /* @__PURE__ */ a4(Field, { name: "reason", label: t5("reason"), required: true, rows: 3, maxLength: 400, hint: t5("reasonPublic") }) }) })
    ] })
  ] });
}
function FindingsPart({ contest }) {
  const base2 = `contests/${encodeURIComponent(contest.name)}`;
  const findings = useLoaded(`${base2}/findings`);
  const all = useSignal(false);
  return /* @__PURE__ */ a4(When, { of: findings, children: ({ items, failed = [] }) => {
    const rows = all.value ? items : items.filter((finding) => !decided(finding));
    return /* @__PURE__ */ a4($, { children: [
      failed.length > 0 && /* @__PURE__ */ a4("ul", { class: "panel versions", children: failed.map((ruling) => /* @__PURE__ */ a4(FailedRow, { base: base2, ruling, again: findings.again }, ruling.id)) }),
      /* @__PURE__ */ a4("label", { class: "switch", children: [
        /* @__PURE__ */ a4("input", { type: "checkbox", checked: all.value, onChange: (event) => {
          all.value = event.currentTarget.checked;
        } }),
        t5("showDecided")
      ] }),
      rows.length === 0 ? /* @__PURE__ */ a4(Empty, { title: t5("noFindings") }) : /* @__PURE__ */ a4("ul", { class: "panel versions", children: rows.map((finding) => /* @__PURE__ */ a4("li", { class: "version", children: [
        finding.team && /* @__PURE__ */ a4("a", { class: "team-link", href: pathTo(contest.name, "team", finding.team), children: /* @__PURE__ */ a4("bdi", { children: shown(finding.team) }) }),
        /* @__PURE__ */ a4(FindingHead, { finding }),
        /* @__PURE__ */ a4("div", { class: "version-body", children: [
          /* @__PURE__ */ a4(FindingMore, { finding }),
          !decided(finding) && /* @__PURE__ */ a4(Fold, { title: /* @__PURE__ */ a4($, { children: [
            t5("rule"),
            /* @__PURE__ */ a4("span", { class: "unseen", children: [
              " ",
              finding.id
            ] })
          ] }), open: finding.state === "PROPOSED", children: /* @__PURE__ */ a4(Form, { button: t5("ruleSend"), draft: `rule.${finding.id}`, first: { decision: "dismiss" }, onSend: async (values) => {
            await change("POST", `${base2}/rulings`, { finding: finding.id, decision: values["decision"] ?? "", reason: values["reason"] ?? "" });
            findings.again();
            return t5("done");
          }, children: [
            /* @__PURE__ */ a4(Field, { name: "decision", label: t5("decision"), options: ["dismiss", "warn", "eliminate"].map((each) => [each, wordOf("decision_", each)]) }),
            /* @__PURE__ */ a4(Field, { name: "reason", label: t5("reason"), required: true, rows: 3, maxLength: 400, hint: t5("reasonPublic") })
          ] }) })
        ] })
      ] }, finding.id)) })
    ] });
  } });
}
function AppealsPart({ contest }) {
  const base2 = `contests/${encodeURIComponent(contest.name)}`;
  const appeals = useLoaded(`${base2}/appeals`);
  return /* @__PURE__ */ a4(When, { of: appeals, children: ({ items }) => items.length === 0 ? /* @__PURE__ */ a4(Empty, { title: t5("noAppeals") }) : /* @__PURE__ */ a4("ul", { class: "panel versions", children: [...items].sort((a5, b3) => Number(b3.state === "OPEN") - Number(a5.state === "OPEN")).map((appeal) => /* @__PURE__ */ a4(AppealRow, { appeal, children: appeal.state === "OPEN" && /* @__PURE__ */ a4(Fold, { title: /* @__PURE__ */ a4($, { children: [
    t5("rule"),
    /* @__PURE__ */ a4("span", { class: "unseen", children: [
      " ",
      appeal.id
    ] })
  ] }), open: true, children: /* @__PURE__ */ a4(Form, { button: t5("ruleSend"), draft: `appeal.${appeal.id}`, first: { decision: "dismiss" }, onSend: async (values) => {
    await change("POST", `${base2}/rulings`, { appeal: appeal.id, decision: values["decision"] ?? "", reason: values["reason"] ?? "" });
    appeals.again();
    return t5("done");
  }, children: [
    /* @__PURE__ */ a4(Field, { name: "decision", label: t5("decision"), options: (appeal.about === "game" ? ["dismiss", "grant", "grant-set"] : ["dismiss", "grant"]).map((each) => [each, wordOf(`appealed_${appeal.about}_`, each)]) }),
    /* @__PURE__ */ a4(Field, { name: "reason", label: t5("reason"), required: true, rows: 3, maxLength: 400, hint: t5("reasonPublic") })
  ] }) }) }, appeal.id)) }) });
}

// src/site/pages/OrganiseState.tsx
function neighbours(contest) {
  const course2 = ["DRAFT", ...courseOf(contest).map((step) => step.state), "ARCHIVED"];
  const at = course2.indexOf(contest.state);
  return at < 0 ? { next: void 0, before: void 0 } : { next: course2[at + 1], before: course2[at - 1] };
}
var reasonNeeded = () => /* @__PURE__ */ a4(Field, { name: "reason", label: t5("reason"), required: true, rows: 2, maxLength: 2e3, hint: t5("reasonPublic") });
function Move({ contest, again, to, word, danger, mustSay }) {
  return /* @__PURE__ */ a4(Form, { button: word, danger: danger === true, draft: `move.${contest.name}.${to}`, onSend: async (values) => {
    const answer = await change("POST", `contests/${encodeURIComponent(contest.name)}/state`, { to, reason: values["reason"] ?? "" });
    again();
    setTimeout(again, 1500);
    return answer?.sentence ? shown(answer.sentence) : t5("done");
  }, children: mustSay ? reasonNeeded() : /* @__PURE__ */ a4(Field, { name: "reason", label: t5("reason"), rows: 2, maxLength: 2e3 }) });
}
var WallHint = ({ name: name2, zone }) => {
  const ms = momentIn(zone, useValue(name2));
  return Number.isNaN(ms) ? /* @__PURE__ */ a4($, { children: t5("dateOpen") }) : /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4(Moment, { at: ms, zone }),
    " · ",
    /* @__PURE__ */ a4(Ahead, { ms })
  ] });
};
function Dates({ contest, again }) {
  const zone = zoneOf(contest);
  const dates = contest.dates ?? {};
  const course2 = courseOf(contest);
  const names = [.../* @__PURE__ */ new Set([...course2.map((step) => step.date), ...Object.keys(dates)])].filter((name2) => name2 !== "zone");
  const first = Object.fromEntries(names.map((name2) => [name2, Number.isNaN(msOf(dates[name2])) ? "" : wallIn(zone, msOf(dates[name2]))]));
  return /* @__PURE__ */ a4(Form, { button: t5("datesChange"), quiet: true, draft: `dates.${contest.name}`, first, keepAfter: true, onSend: async (values) => {
    const changed = names.filter((name2) => (values[name2] ?? "") !== first[name2]);
    await change("PATCH", `contests/${encodeURIComponent(contest.name)}/dates`, { ...Object.fromEntries(changed.map((name2) => [name2, (values[name2] ?? "").replace("T", " ")])), ...values["reason"] ? { reason: values["reason"] } : {} });
    again();
    return t5("saved");
  }, children: [
    /* @__PURE__ */ a4("p", { class: "lead", children: t5("datesIn", { zone }) }),
    names.map((name2) => {
      const state = course2.find((step) => step.date === name2)?.state ?? begins.find(([, date]) => date === name2)?.[0];
      return /* @__PURE__ */ a4(Field, { name: name2, type: "datetime-local", label: state ? t5(`begins_${state}`) : name2, hint: /* @__PURE__ */ a4(WallHint, { name: name2, zone }) }, name2);
    }),
    /* @__PURE__ */ a4(Field, { name: "reason", label: t5("reason"), rows: 2, maxLength: 2e3 })
  ] });
}
function readyOf(loaded) {
  return loaded.value.value ?? loaded.trouble.value?.body ?? null;
}
function Needs({ contest }) {
  const base2 = `contests/${encodeURIComponent(contest.name)}`;
  const teams = useLoaded(`${base2}/teams`);
  const findings = useLoaded(`${base2}/findings`);
  const appeals = useLoaded(`${base2}/appeals`);
  const jobs = useLoaded(`${base2}/jobs`);
  const ready = useLoaded("ready");
  useEach(3e4, () => {
    for (const each of [teams, jobs, ready]) each.again();
  });
  const count = (of, holds) => of.value.value?.items.filter(holds).length ?? 0;
  const rows = [
    ["teams", "tabTeams", "needTeams", count(teams, (team) => team.state === "WAITING")],
    ["findings", "partFindings", "needFindings", count(findings, (finding) => finding.state === "PROPOSED" || finding.state === "ANSWERED")],
    ["appeals", "appeals", "needAppeals", count(appeals, (appeal) => appeal.state === "OPEN")],
    ["jobs", "partJobs", "needJobs", count(jobs, (job) => job.state === "FAILED")]
  ].filter(([, , , n3]) => n3 > 0);
  const now = readyOf(ready);
  return /* @__PURE__ */ a4(Block, { title: t5("needsYou"), children: [
    rows.length > 0 && /* @__PURE__ */ a4("ul", { class: "items panel gap", children: rows.map(([part, title, word, n3]) => /* @__PURE__ */ a4("li", { class: "item", children: [
      /* @__PURE__ */ a4("a", { class: "item-main", href: `${pathTo(contest.name, "organise")}?part=${part}`, children: /* @__PURE__ */ a4("span", { class: "item-name", children: t5(title) }) }),
      /* @__PURE__ */ a4("span", { class: "pill warn", children: t5(word, { n: n3 }) })
    ] }, part)) }),
    rows.length === 0 && /* @__PURE__ */ a4("p", { children: t5("needsNobody") }),
    /* @__PURE__ */ a4("p", { class: "note", children: teams.value.value && t5("standTeams", { n: count(teams, (team) => team.state === "IN"), m: count(teams, (team) => team.state === "IN" && Boolean(team.version)) }) }),
    now && (now.ready ? /* @__PURE__ */ a4("p", { class: "note", children: t5("serverFit") }) : /* @__PURE__ */ a4("p", { class: "form-trouble", role: "status", children: t5("serverUnfit", { what: (now.reasons ?? []).map((each) => wordOf("unfit_", each)).join(t5("listComma")) }) }))
  ] });
}
function StatePart(inside) {
  const { contest, again } = inside;
  const { next, before: before2 } = neighbours(contest);
  const path = `contests/${encodeURIComponent(contest.name)}`;
  const mayPause = ["OPEN", "FROZEN", "PRELIMINARY", "REVISION", "FINAL", "JUDGING"].includes(contest.state);
  const over2 = ["PUBLISHED", "ARCHIVED", "CANCELLED"].includes(contest.state);
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4(Block, { title: t5("partState"), children: /* @__PURE__ */ a4("div", { class: "panel nowbox", children: [
      /* @__PURE__ */ a4(StateLine, { contest }),
      next && next !== "ARCHIVED" && /* @__PURE__ */ a4(Fold, { title: /* @__PURE__ */ a4($, { children: [
        t5("moveTo"),
        " ",
        /* @__PURE__ */ a4("strong", { children: t5(`state_${next}`) })
      ] }), children: [
        /* @__PURE__ */ a4("p", { class: "lead", children: t5("moveText") }),
        /* @__PURE__ */ a4(Move, { ...inside, to: next, word: t5("moveButton", { state: t5(`state_${next}`) }) }, next)
      ] }, next),
      mayPause && /* @__PURE__ */ a4(Fold, { title: t5(contest.paused ? "resume" : "pause"), children: [
        /* @__PURE__ */ a4("p", { class: "lead", children: t5(contest.paused ? "resumeText" : "pauseText") }),
        /* @__PURE__ */ a4(Form, { button: t5(contest.paused ? "resume" : "pause"), onSend: async (values) => {
          await change("POST", `${path}/pause`, { paused: !contest.paused, reason: values["reason"] ?? "" });
          again();
          return t5("done");
        }, children: contest.paused ? /* @__PURE__ */ a4(Field, { name: "reason", label: t5("reason"), rows: 2, maxLength: 2e3 }) : reasonNeeded() })
      ] }, `${contest.paused}`),
      (contest.state === "OPEN" || contest.state === "REVISION") && contest.division !== "nlp" && /* @__PURE__ */ a4(Fold, { title: t5("roundNow"), children: [
        /* @__PURE__ */ a4("p", { class: "lead", children: t5("roundText") }),
        /* @__PURE__ */ a4(Form, { button: t5("roundNow"), onSend: async () => {
          await change("POST", `${path}/rounds`, {});
          return t5("roundAsked");
        } })
      ] })
    ] }) }),
    /* @__PURE__ */ a4(Needs, { ...inside }),
    /* @__PURE__ */ a4(Block, { title: t5("dates"), children: /* @__PURE__ */ a4("div", { class: "panel", children: /* @__PURE__ */ a4(Dates, { ...inside }) }) }),
    !over2 && /* @__PURE__ */ a4(Block, { title: t5("rarely"), children: [
      before2 && before2 !== "DRAFT" && /* @__PURE__ */ a4(Fold, { title: /* @__PURE__ */ a4($, { children: [
        t5("moveBack"),
        " ",
        /* @__PURE__ */ a4("strong", { children: t5(`state_${before2}`) })
      ] }), danger: true, children: [
        /* @__PURE__ */ a4("p", { class: "lead", children: t5("moveBackText") }),
        /* @__PURE__ */ a4(Move, { ...inside, to: before2, word: t5("moveButton", { state: t5(`state_${before2}`) }), danger: true, mustSay: true })
      ] }, before2),
      /* @__PURE__ */ a4(Fold, { title: t5("cancel"), danger: true, children: [
        /* @__PURE__ */ a4("p", { class: "lead", children: t5("cancelText", { name: shown(contest.name) }) }),
        /* @__PURE__ */ a4(Move, { ...inside, to: "CANCELLED", word: t5("cancel"), danger: true, mustSay: true })
      ] })
    ] })
  ] });
}

// src/site/pages/OrganiseRun.tsx
function JobsPart({ contest }) {
  const base2 = `contests/${encodeURIComponent(contest.name)}`;
  const jobs = useLoaded(`${base2}/jobs`);
  useEach(5e3, jobs.again);
  const act = (job, verb) => {
    change("POST", `${base2}/jobs/${encodeURIComponent(job)}/${verb}`).then(() => {
      toast(t5("done"));
      jobs.again();
    }, (error) => toast(asTrouble(error).message, true));
  };
  return /* @__PURE__ */ a4(When, { of: jobs, children: ({ items }) => items.length === 0 ? /* @__PURE__ */ a4(Empty, { title: t5("noJobs") }) : /* @__PURE__ */ a4("ul", { class: "items panel", children: items.map((job) => /* @__PURE__ */ a4("li", { class: "item", children: [
    /* @__PURE__ */ a4("div", { class: "item-main", children: [
      /* @__PURE__ */ a4("span", { class: "item-name", children: [
        wordOf("job_", job.kind),
        job.stage && /* @__PURE__ */ a4($, { children: [
          " · ",
          wordOf("stage_", job.stage)
        ] })
      ] }),
      /* @__PURE__ */ a4("span", { class: "note", children: [
        job.id,
        job.tries ? /* @__PURE__ */ a4($, { children: [
          " · ",
          t5("triesN", { n: job.tries })
        ] }) : null,
        " · ",
        /* @__PURE__ */ a4(When2, { at: job.ended ?? job.began ?? job.created, exact: true })
      ] }),
      job.why && /* @__PURE__ */ a4("span", { class: "bad-text", children: shown(job.why) })
    ] }),
    /* @__PURE__ */ a4("span", { class: job.state === "FAILED" ? "pill warn" : job.state === "DONE" ? "pill good" : "pill now", children: wordOf("jobstate_", job.state) }),
    (job.state === "NEW" || job.state === "PUT") && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => act(job.id, "stop"), children: [
      t5("stop"),
      /* @__PURE__ */ a4("span", { class: "unseen", children: [
        " ",
        job.id
      ] })
    ] }),
    (job.state === "FAILED" || job.state === "STOPPED") && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => act(job.id, "retry"), children: [
      t5("retry"),
      /* @__PURE__ */ a4("span", { class: "unseen", children: [
        " ",
        job.id
      ] })
    ] })
  ] }, job.id)) }) });
}
var AnnouncePart = ({ contest }) => /* @__PURE__ */ a4(Block, { title: t5("partAnnounce"), children: [
  /* @__PURE__ */ a4("p", { class: "lead", children: t5("announceText") }),
  /* @__PURE__ */ a4("div", { class: "panel", children: /* @__PURE__ */ a4(Form, { button: t5("announceSend"), draft: `announce.${contest.name}`, onSend: async (values) => {
    await change("POST", `contests/${encodeURIComponent(contest.name)}/announcements`, { text: { en: values["en"] ?? "", ja: values["ja"] ?? "" } });
    return t5("announceDone");
  }, children: [
    /* @__PURE__ */ a4(Field, { name: "en", label: t5("textEnglish"), required: true, rows: 6, maxLength: 8e3 }),
    /* @__PURE__ */ a4(Field, { name: "ja", label: t5("textJapanese"), rows: 6, maxLength: 8e3 })
  ] }) })
] });
function SheetsPart({ contest }) {
  const file = useSignal(null);
  return /* @__PURE__ */ a4(Block, { title: t5("sheetsCsv"), children: [
    /* @__PURE__ */ a4("p", { class: "lead", children: t5("sheetsCsvText", { name: contest.name }) }),
    /* @__PURE__ */ a4("div", { class: "panel", children: /* @__PURE__ */ a4(Form, { button: t5("upload"), onSend: async () => {
      if (!file.value) throw new ApiError(-1, "file", t5("fileMissing"));
      const { taken: taken2 } = await change("POST", `contests/${encodeURIComponent(contest.name)}/sheets`, { csv: await file.value.text() });
      file.value = null;
      return t5("sheetsTaken", { n: taken2 });
    }, children: /* @__PURE__ */ a4("div", { class: "whole", children: /* @__PURE__ */ a4(DropFile, { file: file.value, label: t5("chooseFile"), accept: ".csv", onFile: (chosen) => {
      file.value = chosen;
    } }) }) }) })
  ] });
}
function PeoplePart({ contest }) {
  const base2 = `contests/${encodeURIComponent(contest.name)}`;
  const roles = useLoaded(`${base2}/roles`);
  const link = useSignal("");
  const remove = (row) => {
    change("DELETE", `${base2}/roles`, { login: row.login, role: row.role }).then(roles.again, (error) => toast(asTrouble(error).message, true));
  };
  return /* @__PURE__ */ a4(Block, { title: t5("partRoles"), children: [
    /* @__PURE__ */ a4(When, { of: roles, children: ({ items }) => items.length === 0 ? null : /* @__PURE__ */ a4("ul", { class: "items panel gap", children: items.map((row) => /* @__PURE__ */ a4("li", { class: "item", children: [
      /* @__PURE__ */ a4("div", { class: "item-main", children: [
        /* @__PURE__ */ a4("bdi", { class: "item-name", children: shown(row.name || row.login) }),
        /* @__PURE__ */ a4("bdi", { class: "note", children: shown(row.login) })
      ] }),
      /* @__PURE__ */ a4("span", { class: "pill", children: wordOf("rolename_", row.role) }),
      /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => remove(row), children: [
        t5("remove"),
        /* @__PURE__ */ a4("span", { class: "unseen", children: [
          " ",
          shown(row.login)
        ] })
      ] })
    ] }, `${row.login} ${row.role}`)) }) }),
    link.value && /* @__PURE__ */ a4("div", { class: "panel gap", role: "status", children: [
      /* @__PURE__ */ a4("p", { children: t5("inviteLink") }),
      /* @__PURE__ */ a4(Copy, { text: link.value, label: t5("invite") })
    ] }),
    /* @__PURE__ */ a4("div", { class: "panel", children: /* @__PURE__ */ a4(Form, { button: t5("roleGive"), first: { role: "judge" }, onSend: async (values) => {
      const login = (values["login"] ?? "").trim();
      const made2 = await change("POST", `${base2}/roles`, { ...login ? { login } : {}, role: values["role"] ?? "judge" });
      link.value = made2?.link ?? "";
      roles.again();
      return t5("done");
    }, children: [
      /* @__PURE__ */ a4(Field, { name: "login", label: t5("loginName"), maxLength: 32, hint: t5("roleHint") }),
      /* @__PURE__ */ a4(Field, { name: "role", label: t5("roleLabel"), options: [["judge", t5("rolename_judge")], ["organiser", t5("rolename_organiser")]] })
    ] }) })
  ] });
}
function TrailPart({ contest }) {
  const path = `contests/${encodeURIComponent(contest.name)}/trail`;
  const first = useLoaded(path);
  const more = useSignal(null);
  const load = (cursor) => {
    get(`${path}?cursor=${encodeURIComponent(cursor)}`).then((page) => {
      more.value = { ...page, items: [...more.value?.items ?? [], ...page.items] };
    }, (error) => toast(asTrouble(error).message, true));
  };
  return /* @__PURE__ */ a4(When, { of: first, children: (page) => {
    const items = [...page.items, ...more.value?.items ?? []];
    const next = more.value ? more.value.next : page.next;
    return items.length === 0 ? /* @__PURE__ */ a4(Empty, { title: t5("noTrail") }) : /* @__PURE__ */ a4($, { children: [
      /* @__PURE__ */ a4("ul", { class: "items panel", "aria-label": t5("partTrail"), children: items.map((act, i4) => /* @__PURE__ */ a4("li", { class: "item", children: /* @__PURE__ */ a4("div", { class: "item-main", children: [
        /* @__PURE__ */ a4("span", { class: "item-name", children: [
          shown(wordOf("verb_", act.verb)),
          " ",
          act.object && /* @__PURE__ */ a4("bdi", { class: "note", children: shown(act.object.replace(/^contests\/[^/]+\//, "")) })
        ] }),
        act.detail && /* @__PURE__ */ a4("bdi", { class: "pre", children: act.verb === "move" ? act.detail.split(" > ").map((each) => shown(wordOf("state_", each))).join(" → ") : shown(act.detail) }),
        /* @__PURE__ */ a4("span", { class: "note", children: [
          act.account ? /* @__PURE__ */ a4("bdi", { children: shown(act.account) }) : t5("byServer"),
          act.address && /* @__PURE__ */ a4($, { children: [
            " · ",
            shown(act.address)
          ] }),
          " · ",
          /* @__PURE__ */ a4(When2, { at: act.at, exact: true })
        ] })
      ] }) }, act.id ?? i4)) }),
      next && /* @__PURE__ */ a4("p", { class: "after", children: /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => load(next), children: t5("more") }) })
    ] });
  } });
}

// src/site/pages/Organise.tsx
var views = { state: StatePart, teams: TeamsPart, findings: FindingsPart, appeals: AppealsPart, jobs: JobsPart, announce: AnnouncePart, rules: AmendPart, people: PeoplePart, sheets: SheetsPart, trail: TrailPart };
function Body4(inside) {
  const { contest } = inside;
  const base2 = `contests/${encodeURIComponent(contest.name)}`;
  const findings = useLoaded(`${base2}/findings`).value.value?.items ?? [];
  const appeals = useLoaded(`${base2}/appeals`).value.value?.items ?? [];
  const parts = [
    ["state", "partState"],
    ["teams", "tabTeams"],
    ["findings", "partFindings", findings.filter((each) => each.state === "PROPOSED").length],
    ["appeals", "appeals", appeals.filter((each) => each.state === "OPEN").length],
    ["jobs", "partJobs"],
    ["announce", "partAnnounce"],
    ["rules", "partRules"],
    ["people", "partRoles"],
    ...contest.division === "nlp" ? [["sheets", "partSheets"]] : [],
    ["trail", "partTrail"]
  ];
  const part = partOf(parts);
  const View = views[part];
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4(Parts, { path: pathTo(contest.name, "organise"), parts, now: part, label: t5("organiseParts") }),
    /* @__PURE__ */ a4(View, { ...inside })
  ] });
}
var Organise = ({ contest: name2 }) => /* @__PURE__ */ a4(Inside, { name: name2, title: t5("tabOrganise"), children: (inside) => /* @__PURE__ */ a4(NeedLogin, { children: standingIn(inside.contest).organiser ? /* @__PURE__ */ a4(Body4, { ...inside }) : /* @__PURE__ */ a4(Empty, { title: t5("onlyOrganisers") }) }) });

// src/site/pages/Reset.tsx
function Reset({ id }) {
  const sent2 = useSignal(false);
  return /* @__PURE__ */ a4(Frame, { title: t5("resetTitle"), narrow: true, children: [
    id === "" && (sent2.value ? /* @__PURE__ */ a4("p", { class: "panel", role: "status", children: t5("resetSent") }) : /* @__PURE__ */ a4("div", { class: "panel", children: /* @__PURE__ */ a4(Form, { button: t5("resetSend"), onSend: async (values) => {
      await ask("POST", "reset", { login: values["login"] ?? "" });
      sent2.value = true;
    }, children: /* @__PURE__ */ a4(Field, { name: "login", label: t5("loginName"), required: true, autocomplete: "username", hint: t5("resetHint") }) }) })),
    id !== "" && /* @__PURE__ */ a4("div", { class: "panel", children: /* @__PURE__ */ a4(Form, { button: t5("resetSet"), onSend: async (values) => {
      await ask("POST", "reset", { secret: id, password: values["password"] ?? "" });
      await findMe();
      go(me.value ? "/" : "/login", "replace");
      return t5("resetDone");
    }, children: /* @__PURE__ */ a4(Field, { name: "password", label: t5("newPassword"), type: "password", required: true, autocomplete: "new-password", minLength: 12, maxLength: 256, hint: t5("passwordHint") }) }) })
  ] });
}

// src/site/ranking.ts
function orderOf(names, ranks) {
  const placed = names.filter((name2) => typeof ranks?.[name2]?.rank === "number").sort((a5, b3) => (ranks?.[a5]?.rank ?? 0) - (ranks?.[b3]?.rank ?? 0));
  return { placed, rest: names.filter((name2) => !placed.includes(name2)) };
}
var place = (order3, name2) => order3.rest.includes(name2) ? { placed: [...order3.placed, name2], rest: order3.rest.filter((each) => each !== name2) } : order3;
var takeBack = (order3, name2, names) => order3.placed.includes(name2) ? { placed: order3.placed.filter((each) => each !== name2), rest: names.filter((each) => each === name2 || order3.rest.includes(each)) } : order3;
function moveTo(order3, name2, to) {
  const from = order3.placed.indexOf(name2);
  if (from < 0) return order3;
  const placed = order3.placed.filter((each) => each !== name2);
  placed.splice(Math.max(0, Math.min(to, placed.length)), 0, name2);
  return { ...order3, placed };
}
var ranksOf = (order3) => Object.fromEntries(order3.placed.map((name2, i4) => [name2, i4 + 1]));
var isWhole = (order3) => order3.rest.length === 0;
function placeAt(y5, middles) {
  let at = 0;
  while (at < middles.length && y5 > middles[at]) at++;
  return at;
}

// src/site/pages/Sheet.tsx
var SAVE_MS = 900;
var rankingsOf = (sheet, filled) => {
  const ranks = ranksOf(filled.order);
  return Object.fromEntries(sheet.names.map((name2) => [name2, {
    ...ranks[name2] !== void 0 && sheet.scale === "rank" ? { rank: ranks[name2] } : {},
    ...filled.scores[name2] !== void 0 && sheet.scale === "score" ? { score: filled.scores[name2] } : {},
    ...filled.reasons[name2] ? { reason: filled.reasons[name2] } : {}
  }]).filter(([, value]) => Object.keys(value).length > 0));
};
function filledOf(sheet, ranks) {
  return {
    order: orderOf(sheet.names, ranks),
    scores: Object.fromEntries(sheet.names.flatMap((name2) => typeof ranks?.[name2]?.score === "number" ? [[name2, ranks[name2].score]] : [])),
    reasons: Object.fromEntries(sheet.names.flatMap((name2) => ranks?.[name2]?.reason ? [[name2, ranks[name2].reason]] : []))
  };
}
var Lines2 = ({ sheet }) => {
  const days = [...new Set(sheet.lines.map((line) => line.day))];
  return /* @__PURE__ */ a4("div", { class: "talk", children: days.map((day) => /* @__PURE__ */ a4("section", { children: [
    /* @__PURE__ */ a4("h3", { children: t5("dayNumber", { n: String(day) }) }),
    /* @__PURE__ */ a4("ol", { children: sheet.lines.filter((line) => line.day === day).map((line) => /* @__PURE__ */ a4("li", { class: `kind-${line.kind}`, id: `line-${line.line}`, children: [
      /* @__PURE__ */ a4("span", { class: "line-no", children: line.line }),
      /* @__PURE__ */ a4("span", { class: "line-text", children: [
        line.speaker && /* @__PURE__ */ a4("bdi", { class: "name", children: shown(line.speaker) }),
        line.kind !== "talk" && /* @__PURE__ */ a4("span", { class: "pill", children: wordOf("kind_", line.kind) }),
        " ",
        /* @__PURE__ */ a4("bdi", { class: "pre", children: shown(line.text) }),
        line.translation && /* @__PURE__ */ a4($, { children: [
          /* @__PURE__ */ a4("br", {}),
          /* @__PURE__ */ a4("bdi", { class: "note pre", children: shown(line.translation) })
        ] })
      ] })
    ] }, line.line)) })
  ] }, day)) });
};
var Reason = ({ name: name2, filled, set, off }) => /* @__PURE__ */ a4("details", { class: "reason", open: Boolean(filled.reasons[name2]), children: [
  /* @__PURE__ */ a4("summary", { children: [
    t5("reasonFor"),
    /* @__PURE__ */ a4("span", { class: "unseen", children: [
      " ",
      shown(name2)
    ] })
  ] }),
  /* @__PURE__ */ a4(
    "textarea",
    {
      class: "field area",
      rows: 2,
      maxLength: 400,
      disabled: off,
      "aria-label": `${t5("reasonFor")} ${shown(name2)}`,
      value: filled.reasons[name2] ?? "",
      onInput: (event) => set({ ...filled, reasons: { ...filled.reasons, [name2]: event.currentTarget.value } })
    }
  )
] });
function Ranks(props) {
  const { sheet, filled, set, off } = props;
  const { order: order3 } = filled;
  const list = T2(null);
  const told = useSignal("");
  const drag = useSignal(null);
  const to = (name2, at) => {
    const next = moveTo(order3, name2, at);
    set({ ...filled, order: next });
    told.value = t5("rankTold", { name: shown(name2), n: String(next.placed.indexOf(name2) + 1) });
    requestAnimationFrame(() => list.current?.querySelector(`[data-name="${CSS.escape(name2)}"] .grip`)?.focus());
  };
  const middles = () => [...list.current?.querySelectorAll(":scope > li") ?? []].filter((row) => row.dataset["name"] !== drag.value?.name).map((row) => {
    const box = row.getBoundingClientRect();
    return box.top + box.height / 2;
  });
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("p", { class: "lead", children: t5(order3.rest.length > 0 ? order3.placed.length === 0 ? "rankBegin" : "rankGoOn" : "rankWhole") }),
    /* @__PURE__ */ a4("ol", { class: "ranks", ref: list, children: order3.placed.map((name2, i4) => /* @__PURE__ */ a4("li", { "data-name": name2, class: `${drag.value?.name === name2 ? "dragged" : ""}${drag.value && drag.value.name !== name2 && drag.value.to === i4 ? " before" : ""}`, children: [
      /* @__PURE__ */ a4("div", { class: "rank-row", children: [
        /* @__PURE__ */ a4(
          "button",
          {
            type: "button",
            class: "grip",
            disabled: off,
            "aria-label": t5("rankGrip", { name: shown(name2), n: String(i4 + 1), all: String(sheet.names.length) }),
            "aria-keyshortcuts": "ArrowUp ArrowDown",
            onKeyDown: (event) => {
              const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
              if (step === 0) return;
              event.preventDefault();
              to(name2, i4 + step);
            },
            onPointerDown: (event) => {
              if (off || event.button !== 0) return;
              event.currentTarget.setPointerCapture(event.pointerId);
              drag.value = { name: name2, to: i4 };
            },
            onPointerMove: (event) => {
              if (drag.value?.name === name2) drag.value = { name: name2, to: placeAt(event.clientY, middles()) };
            },
            onPointerUp: () => {
              const at = drag.value;
              drag.value = null;
              if (at && at.to !== i4) to(name2, at.to);
            },
            onPointerCancel: () => {
              drag.value = null;
            },
            children: [
              /* @__PURE__ */ a4("span", { class: "rank-no", children: i4 + 1 }),
              /* @__PURE__ */ a4("span", { "aria-hidden": "true", class: "dots", children: "⠿" })
            ]
          }
        ),
        /* @__PURE__ */ a4("bdi", { class: "name", children: shown(name2) }),
        /* @__PURE__ */ a4("span", { class: "space" }),
        /* @__PURE__ */ a4("button", { type: "button", class: "button square", disabled: off || i4 === 0, "aria-label": t5("rankUp", { name: shown(name2) }), onClick: () => to(name2, i4 - 1), children: "▲" }),
        /* @__PURE__ */ a4("button", { type: "button", class: "button square", disabled: off || i4 === order3.placed.length - 1, "aria-label": t5("rankDown", { name: shown(name2) }), onClick: () => to(name2, i4 + 1), children: "▼" }),
        /* @__PURE__ */ a4("button", { type: "button", class: "button square", disabled: off, "aria-label": t5("rankOut", { name: shown(name2) }), onClick: () => set({ ...filled, order: takeBack(order3, name2, sheet.names) }), children: "✕" })
      ] }),
      /* @__PURE__ */ a4(Reason, { ...props, name: name2 })
    ] }, name2)) }),
    order3.rest.length > 0 && /* @__PURE__ */ a4("div", { class: "rest", role: "group", "aria-label": t5("rankRest"), children: order3.rest.map((name2) => /* @__PURE__ */ a4("button", { type: "button", class: "button", disabled: off, onClick: () => {
      set({ ...filled, order: place(order3, name2) });
      told.value = t5("rankTold", { name: shown(name2), n: String(order3.placed.length + 1) });
    }, children: [
      /* @__PURE__ */ a4("span", { class: "rank-next", "aria-hidden": "true", children: order3.placed.length + 1 }),
      /* @__PURE__ */ a4("bdi", { children: shown(name2) })
    ] }, name2)) }),
    /* @__PURE__ */ a4("p", { class: "unseen", role: "status", children: told.value })
  ] });
}
var Scores = (props) => /* @__PURE__ */ a4("ul", { class: "ranks", children: props.sheet.names.map((name2) => /* @__PURE__ */ a4("li", { children: [
  /* @__PURE__ */ a4("fieldset", { class: "score", disabled: props.off, children: [
    /* @__PURE__ */ a4("legend", { children: /* @__PURE__ */ a4("bdi", { class: "name", children: shown(name2) }) }),
    [1, 2, 3, 4, 5].map((score) => /* @__PURE__ */ a4("label", { children: [
      /* @__PURE__ */ a4("input", { type: "radio", name: `score ${name2}`, checked: props.filled.scores[name2] === score, onChange: () => props.set({ ...props.filled, scores: { ...props.filled.scores, [name2]: score } }) }),
      score
    ] }, score))
  ] }),
  /* @__PURE__ */ a4(Reason, { ...props, name: name2 })
] }, name2)) });
function Fill({ contest, sheet, again }) {
  const path = `contests/${encodeURIComponent(contest)}/sheets/${encodeURIComponent(sheet.id)}`;
  const key = `sheet.${contest}.${sheet.id}`;
  const sent2 = isSent(sheet);
  const rows = useLoaded(`contests/${encodeURIComponent(contest)}/sheets`);
  const before2 = w2(() => {
    try {
      const kept2 = draftOf(key)["ranks"];
      return kept2 && !sent2 ? JSON.parse(kept2) : sheet.ranks;
    } catch {
      return sheet.ranks;
    }
  }, [key]);
  const filled = useSignal(filledOf(sheet, before2));
  const saved = useSignal("same");
  const trouble = useSignal("");
  const timer = T2(void 0);
  const tries = T2(0);
  const save = async () => {
    clearTimeout(timer.current);
    const text2 = JSON.stringify(rankingsOf(sheet, filled.value));
    saved.value = "saving";
    try {
      await change("PUT", path, { ranks: JSON.parse(text2) });
      tries.current = 0;
      trouble.value = "";
      if (JSON.stringify(rankingsOf(sheet, filled.value)) === text2) {
        forgetDraft(key);
        saved.value = "saved";
      }
    } catch (error) {
      const wrong = asTrouble(error);
      saved.value = "away";
      if (wrong.status === 0 || wrong.status === 503 || wrong.status === 429) timer.current = setTimeout(() => void save().catch(() => {
      }), pauseOf(tries.current++));
      else trouble.value = wrong.message;
      throw error;
    }
  };
  const set = (next) => {
    filled.value = next;
    keepDraft(key, { ranks: JSON.stringify(rankingsOf(sheet, next)) });
    saved.value = "waits";
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void save().catch(() => {
    }), SAVE_MS);
  };
  A2(() => {
    if (draftOf(key)["ranks"] && !sent2) void save().catch(() => {
    });
    return () => clearTimeout(timer.current);
  }, [key]);
  const whole = sheet.scale === "rank" ? isWhole(filled.value.order) : sheet.names.every((name2) => filled.value.scores[name2] !== void 0);
  const submit = async () => {
    try {
      if (!whole) throw new ApiError(-1, "whole", t5("sheetNotWhole"));
      await save();
      await change("POST", `${path}/submit`, {});
      forgetDraft(key);
      rows.again();
      const next = rows.value.value?.items.find((row) => row.id !== sheet.id && !isSent(row));
      go(next ? pathTo(contest, "judge", next.id) : pathTo(contest, "judge"));
    } catch (error) {
      trouble.value = asTrouble(error).message;
      again();
    }
  };
  const text = both(sheet.text);
  const grounds = both(sheet.grounds);
  const facts = Object.entries(sheet.facts ?? {});
  return /* @__PURE__ */ a4("div", { class: "judging", children: [
    /* @__PURE__ */ a4("div", { class: "judge-read", children: [
      /* @__PURE__ */ a4(Block, { title: /* @__PURE__ */ a4($, { children: [
        sheet.criterion,
        " · ",
        wordOf("criterion_", sheet.criterion)
      ] }), children: /* @__PURE__ */ a4("div", { class: "panel criterion", children: [
        /* @__PURE__ */ a4("p", { children: shown(text || wordOf("criterion_", sheet.criterion)) }),
        /* @__PURE__ */ a4("p", { class: "note", children: grounds ? shown(grounds) : t5("grounds") })
      ] }) }),
      facts.length > 0 && /* @__PURE__ */ a4(Block, { title: t5("sheetFacts"), children: /* @__PURE__ */ a4("dl", { class: "panel facts2", children: facts.map(([name2, fact]) => /* @__PURE__ */ a4($, { children: [
        /* @__PURE__ */ a4("dt", { children: /* @__PURE__ */ a4("bdi", { children: shown(name2) }) }, `t${name2}`),
        /* @__PURE__ */ a4("dd", { children: /* @__PURE__ */ a4("bdi", { class: "pre", children: shown(Array.isArray(fact) ? fact.join("\n") : fact) }) }, name2)
      ] })) }) }),
      /* @__PURE__ */ a4(Block, { title: t5("theGame"), children: /* @__PURE__ */ a4(Lines2, { sheet }) })
    ] }),
    !sent2 && /* @__PURE__ */ a4("a", { class: "button strong to-order", href: "#order", children: [
      t5(sheet.scale === "rank" ? "yourOrder" : "yourScores"),
      " ",
      sheet.scale === "rank" ? filled.value.order.placed.length : Object.keys(filled.value.scores).length,
      "/",
      sheet.names.length,
      " ↓"
    ] }),
    /* @__PURE__ */ a4("aside", { class: "judge-fill", id: "order", tabIndex: -1, "aria-label": t5("yourOrder"), children: [
      /* @__PURE__ */ a4("div", { class: "block-head", children: [
        /* @__PURE__ */ a4("h2", { children: t5(sheet.scale === "rank" ? "yourOrder" : "yourScores") }),
        /* @__PURE__ */ a4("span", { class: "note", role: "status", children: sent2 ? t5("sheet_DONE") : t5(`saved_${saved.value}`) })
      ] }),
      sheet.scale === "rank" ? /* @__PURE__ */ a4(Ranks, { sheet, filled: filled.value, set, off: sent2 }) : /* @__PURE__ */ a4(Scores, { sheet, filled: filled.value, set, off: sent2 }),
      trouble.value && /* @__PURE__ */ a4("p", { class: "form-trouble", role: "alert", children: shown(trouble.value) }),
      !sent2 && /* @__PURE__ */ a4("p", { class: "acts", children: [
        /* @__PURE__ */ a4("button", { type: "button", class: "button strong", "aria-disabled": !whole, onClick: () => void submit(), children: t5("sheetSend") }),
        /* @__PURE__ */ a4("a", { class: "button", href: pathTo(contest, "judge"), children: t5("sheetLater") })
      ] }),
      sent2 && /* @__PURE__ */ a4("p", { class: "acts", children: /* @__PURE__ */ a4("a", { class: "button", href: pathTo(contest, "judge"), children: t5("tabJudge") }) })
    ] })
  ] });
}
function Body5({ contest, id }) {
  const loaded = useLoaded(`contests/${encodeURIComponent(contest.name)}/sheets/${encodeURIComponent(id)}`);
  return /* @__PURE__ */ a4(When, { of: loaded, children: (sheet) => /* @__PURE__ */ a4(Fill, { contest: contest.name, sheet, again: loaded.again }, `${sheet.id} ${isSent(sheet)}`) });
}
var SheetPage = ({ contest, id }) => /* @__PURE__ */ a4(Inside, { name: contest, title: t5("tabJudge"), wide: true, children: (inside) => /* @__PURE__ */ a4(NeedLogin, { children: /* @__PURE__ */ a4(Body5, { ...inside, id }) }) });

// src/site/scores.ts
var byPlace = (a5, b3) => (a5.place ?? Infinity) - (b3.place ?? Infinity) || (a5.team < b3.team ? -1 : 1);
function sideOf(key, model, criteria, totals) {
  const names = /* @__PURE__ */ new Set([...totals.map((row) => row.team), ...criteria.flatMap((each) => each.teams.map((row) => row.team))]);
  const teams = [...names].map((team) => totals.find((row) => row.team === team) ?? { team });
  return { key, ...model === void 0 ? {} : { model }, criteria, teams: teams.sort(byPlace) };
}
function scoreSides(track) {
  const letters = Object.keys(track.criteria).sort();
  const people = letters.map((letter) => {
    const own = track.criteria[letter];
    return { letter, teams: own?.people ?? [], alpha: own?.alpha?.people ?? null, w: own?.w ?? null };
  });
  const models = [...new Set(letters.flatMap((letter) => (track.criteria[letter]?.models ?? []).map((each) => each.model)))];
  const sides = [sideOf("", void 0, people, track.totals?.people ?? [])];
  models.forEach((model, i4) => {
    const criteria = letters.map((letter) => {
      const own = track.criteria[letter]?.models?.find((each) => each.model === model);
      return { letter, teams: own?.teams ?? [], tau: own?.tau ?? null, w: own?.repeat_w ?? null, position: own?.position ?? null, keptOut: own?.kept_out === true };
    });
    sides.push(sideOf(String(i4 + 1), model, criteria, track.totals?.models?.find((each) => each.model === model)?.teams ?? []));
  });
  return sides.filter((side) => side.criteria.some((each) => each.teams.length > 0));
}

// src/site/pages/Scores.tsx
var figure = (value) => typeof value === "number" ? new Intl.NumberFormat(lang.value, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value) : "–";
function Sides({ path, track, sides, now }) {
  if (sides.length < 2) return null;
  return /* @__PURE__ */ a4("nav", { class: "parts", "aria-label": t5("scoresBy"), children: sides.map((side) => /* @__PURE__ */ a4("a", { href: `${path}?stage=${encodeURIComponent(track)}&by=${encodeURIComponent(side.key)}`, "aria-current": side.key === now.key ? "page" : void 0, children: side.model === void 0 ? t5("scoresPeople") : /* @__PURE__ */ a4("bdi", { children: shown(side.model) }) }, side.key)) });
}
function Line3({ name: name2, values }) {
  return /* @__PURE__ */ a4("tr", { children: [
    /* @__PURE__ */ a4("td", {}),
    /* @__PURE__ */ a4("th", { scope: "row", children: name2 }),
    /* @__PURE__ */ a4("td", {}),
    values.map((value, i4) => /* @__PURE__ */ a4("td", { class: "right", children: figure(value) }, i4))
  ] });
}
function Table({ contest, side }) {
  const own = standingIn(contest).team;
  const { criteria } = side;
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("div", { class: "panel scroll", tabIndex: 0, role: "region", "aria-label": t5("scoresTable"), children: /* @__PURE__ */ a4("table", { class: "sheet scores", children: [
      /* @__PURE__ */ a4("thead", { children: /* @__PURE__ */ a4("tr", { children: [
        /* @__PURE__ */ a4("th", { scope: "col", class: "right", children: t5("rank") }),
        /* @__PURE__ */ a4("th", { scope: "col", children: t5("team") }),
        /* @__PURE__ */ a4("th", { scope: "col", class: "right", children: t5("scoresTotal") }),
        criteria.map((each) => /* @__PURE__ */ a4("th", { scope: "col", class: "right", children: [
          each.letter,
          /* @__PURE__ */ a4("span", { class: "note", children: wordOf("criterion_", each.letter) })
        ] }, each.letter))
      ] }) }),
      /* @__PURE__ */ a4("tbody", { children: side.teams.map((row) => /* @__PURE__ */ a4("tr", { class: row.team === own ? "chosen" : "", children: [
        /* @__PURE__ */ a4("td", { class: "right", children: row.place === void 0 ? "–" : num(row.place) }),
        /* @__PURE__ */ a4("th", { scope: "row", children: /* @__PURE__ */ a4("bdi", { children: shown(row.team) }) }),
        /* @__PURE__ */ a4("td", { class: "right sum", children: figure(row.total) }),
        criteria.map((each) => {
          const cell = each.teams.find((one) => one.team === row.team);
          return /* @__PURE__ */ a4("td", { class: "right", children: cell ? /* @__PURE__ */ a4($, { children: [
            figure(cell.score),
            /* @__PURE__ */ a4("span", { class: "note", children: t5("placeN", { n: num(cell.place) }) })
          ] }) : "–" }, each.letter);
        })
      ] }, row.team)) }),
      /* @__PURE__ */ a4("tfoot", { children: side.model === void 0 ? /* @__PURE__ */ a4($, { children: [
        /* @__PURE__ */ a4(Line3, { name: t5("scoresAlpha"), values: criteria.map((each) => each.alpha) }),
        /* @__PURE__ */ a4(Line3, { name: t5("scoresW"), values: criteria.map((each) => each.w) })
      ] }) : /* @__PURE__ */ a4($, { children: [
        /* @__PURE__ */ a4(Line3, { name: t5("scoresTau"), values: criteria.map((each) => each.tau) }),
        /* @__PURE__ */ a4(Line3, { name: t5("scoresRepeat"), values: criteria.map((each) => each.w) }),
        /* @__PURE__ */ a4(Line3, { name: t5("scoresPosition"), values: criteria.map((each) => each.position) })
      ] }) })
    ] }) }),
    criteria.some((each) => each.keptOut) && /* @__PURE__ */ a4("p", { class: "note below", children: t5("scoresKeptOut", { what: criteria.filter((each) => each.keptOut).map((each) => each.letter).join(", ") }) })
  ] });
}
function Body6({ contest, track, data }) {
  const sides = scoreSides(data);
  const by = here.value.query.get("by") ?? "";
  const now = sides.find((side) => side.key === by) ?? sides[0];
  if (!now) return null;
  return /* @__PURE__ */ a4("section", { "aria-labelledby": "scores", children: [
    /* @__PURE__ */ a4("h2", { id: "scores", children: t5("scoresTitle") }),
    /* @__PURE__ */ a4(Sides, { path: pathTo(contest.name, "standings"), track, sides, now }),
    /* @__PURE__ */ a4(Table, { contest, side: now }),
    /* @__PURE__ */ a4("p", { class: "note below", children: [
      t5("scoresNote"),
      " ",
      now.model === void 0 ? t5("scoresNotePeople") : t5("scoresNoteModel")
    ] })
  ] });
}
function ScoresOf({ contest, track }) {
  const over2 = contest.division === "nlp" && ["APPEALS", "PUBLISHED", "ARCHIVED"].includes(contest.state);
  const loaded = useLoaded(over2 ? `contests/${encodeURIComponent(contest.name)}/scores` : "");
  if (!over2 || loaded.trouble.value?.status === 404) return null;
  return /* @__PURE__ */ a4(When, { of: loaded, children: (scores) => {
    const data = scores.tracks[track];
    return data ? /* @__PURE__ */ a4(Body6, { contest, track, data }) : null;
  } });
}

// src/site/pages/Standings.tsx
var percent = (part) => new Intl.NumberFormat(lang.value, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(part);
function gamesApart(one, other) {
  const p5 = (one + other) / 2;
  const d4 = Math.abs(one - other);
  return d4 > 0 ? Math.ceil(2 * p5 * (1 - p5) * ((1.96 + 0.842) / d4) ** 2) : void 0;
}
function Span({ row, from, to }) {
  if (row.low === void 0 || row.high === void 0) return null;
  const x3 = (rate) => (4 + 112 * (rate - from) / Math.max(to - from, 1e-9)).toFixed(1);
  return /* @__PURE__ */ a4("svg", { class: "span", viewBox: "0 0 120 16", "aria-hidden": "true", children: [
    /* @__PURE__ */ a4("path", { class: "strip-line", d: `M4 8H116` }),
    /* @__PURE__ */ a4("path", { class: "span-line", d: `M${x3(row.low)} 8H${x3(row.high)}` }),
    /* @__PURE__ */ a4("circle", { class: "span-dot", cx: x3(row.rate), cy: "8", r: "4" })
  ] });
}
function apart(row, next) {
  const games = next && next.games > 0 && row.games > 0 ? gamesApart(row.rate, next.rate) : void 0;
  return games === void 0 ? "–" : num(games);
}
function Table2({ contest, data }) {
  const rows = data.rows;
  const own = standingIn(contest).team;
  const parts = [...new Set(rows.flatMap((row) => (row.parts ?? []).map((part) => part.players)))].sort((a5, b3) => a5 - b3);
  const from = Math.min(1, ...rows.map((row) => row.low ?? row.rate));
  const to = Math.max(0, ...rows.map((row) => row.high ?? row.rate));
  const several = parts.length > 1;
  const more = useSignal(false);
  const roles = more.value ? ["VILLAGER", "SEER", "MEDIUM", "BODYGUARD", "POSSESSED", "WEREWOLF"].filter((role) => rows.some((row) => row.roles?.some((each) => each.role === role && each.games > 0))) : [];
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("label", { class: "switch", children: [
      /* @__PURE__ */ a4("input", { type: "checkbox", checked: more.value, onChange: (event) => {
        more.value = event.currentTarget.checked;
      } }),
      t5("moreFigures")
    ] }),
    /* @__PURE__ */ a4("div", { class: "panel scroll", tabIndex: 0, role: "region", "aria-label": t5("standingsTable"), children: /* @__PURE__ */ a4("table", { class: "sheet", children: [
      /* @__PURE__ */ a4("thead", { children: /* @__PURE__ */ a4("tr", { children: [
        /* @__PURE__ */ a4("th", { scope: "col", class: "right", children: t5("rank") }),
        /* @__PURE__ */ a4("th", { scope: "col", children: t5("team") }),
        /* @__PURE__ */ a4("th", { scope: "col", class: "right", children: t5("rate") }),
        /* @__PURE__ */ a4("th", { scope: "col", children: t5("interval") }),
        /* @__PURE__ */ a4("th", { scope: "col", class: "right", children: t5("wins") }),
        /* @__PURE__ */ a4("th", { scope: "col", class: "right", children: t5("games") }),
        several && parts.map((players) => /* @__PURE__ */ a4("th", { scope: "col", class: "right", children: t5("playersN", { n: players }) }, players)),
        roles.map((role) => /* @__PURE__ */ a4("th", { scope: "col", class: "right", children: wordOf("role_", role) }, role)),
        more.value && /* @__PURE__ */ a4("th", { scope: "col", class: "right", children: t5("gamesApart") }),
        /* @__PURE__ */ a4("th", { scope: "col", class: "right", children: t5("faults") })
      ] }) }),
      /* @__PURE__ */ a4("tbody", { children: rows.map((row, i4) => /* @__PURE__ */ a4("tr", { class: row.team === own ? "chosen" : "", children: [
        /* @__PURE__ */ a4("td", { class: "right", children: row.eliminated ? "–" : row.rank ?? "–" }),
        /* @__PURE__ */ a4("th", { scope: "row", children: [
          /* @__PURE__ */ a4("bdi", { children: shown(row.team) }),
          row.eliminated && /* @__PURE__ */ a4($, { children: [
            " ",
            /* @__PURE__ */ a4("span", { class: "pill warn", children: t5("eliminated") })
          ] })
        ] }),
        /* @__PURE__ */ a4("td", { class: "right sum", children: row.games > 0 ? percent(row.rate) : "–" }),
        /* @__PURE__ */ a4("td", { children: row.games > 0 && row.low !== void 0 && row.high !== void 0 && /* @__PURE__ */ a4($, { children: [
          /* @__PURE__ */ a4(Span, { row, from, to }),
          " ",
          /* @__PURE__ */ a4("span", { class: "note", children: [
            percent(row.low),
            "–",
            percent(row.high)
          ] })
        ] }) }),
        /* @__PURE__ */ a4("td", { class: "right", children: num(row.wins) }),
        /* @__PURE__ */ a4("td", { class: "right", children: num(row.games) }),
        several && parts.map((players) => {
          const part = row.parts?.find((each) => each.players === players);
          return /* @__PURE__ */ a4("td", { class: "right", children: part && part.games > 0 ? percent(part.wins / part.games) : "–" }, players);
        }),
        roles.map((role) => {
          const part = row.roles?.find((each) => each.role === role);
          return /* @__PURE__ */ a4("td", { class: "right", children: part && part.games > 0 ? percent(part.wins / part.games) : "–" }, role);
        }),
        more.value && /* @__PURE__ */ a4("td", { class: "right", children: apart(row, rows[i4 + 1]) }),
        /* @__PURE__ */ a4("td", { class: "right", children: row.faults === void 0 ? "" : num(row.faults) })
      ] }, row.team)) })
    ] }) }),
    /* @__PURE__ */ a4("p", { class: "note below", children: t5("standingsNote") })
  ] });
}
function Body7({ contest }) {
  const stage = here.value.query.get("stage") ?? "";
  const loaded = useLoaded(`contests/${encodeURIComponent(contest.name)}/standings${stage ? `?stage=${encodeURIComponent(stage)}` : ""}`);
  useEach(3e4, loaded.again);
  return /* @__PURE__ */ a4(When, { of: loaded, children: (data) => /* @__PURE__ */ a4($, { children: [
    data.stages.length > 1 && /* @__PURE__ */ a4("nav", { class: "parts", "aria-label": t5("stages"), children: data.stages.map((each) => /* @__PURE__ */ a4("a", { href: `${pathTo(contest.name, "standings")}?stage=${encodeURIComponent(each)}`, "aria-current": each === data.stage ? "page" : void 0, children: wordOf("stage_", each) }, each)) }),
    data.rows.length === 0 ? /* @__PURE__ */ a4(Empty, { title: t5("noStandings"), children: /* @__PURE__ */ a4("p", { children: t5("noStandingsText") }) }) : /* @__PURE__ */ a4(Table2, { contest, data }),
    /* @__PURE__ */ a4(ScoresOf, { contest, track: stage || data.stage })
  ] }) });
}
var StandingsPage = ({ contest }) => /* @__PURE__ */ a4(Inside, { name: contest, title: t5("tabStandings"), wide: true, children: (inside) => /* @__PURE__ */ a4(Body7, { contest: inside.contest }) });

// src/site/report.ts
var states = ["RECEIVED", "UNPACKED", "BUILT", "CHECKING", "PASSED", "ACTIVE"];
var goesOn = (version) => ["RECEIVED", "UNPACKED", "BUILT", "CHECKING"].includes(version.state) && !lacksFile(version);
var lacksFile = (version) => version.state === "RECEIVED" && !version.sha256;
function verdictOf(step) {
  if (step.verdict === "skipped") return "skipped";
  if (!step.ok) return "failed";
  return step.verdict === "warning" || step.verdict === "warn" ? "warning" : "ok";
}
var numberAt = (step, key) => typeof step[key] === "number" ? step[key] : void 0;
function figuresOf(step) {
  const parts = [];
  const said = step["said"];
  if (typeof said === "string") parts.push(t5("figSaid", { name: said }));
  const limitless = numberAt(step, "bytes");
  if (limitless !== void 0) parts.push(t5("figFilesIn", { n: numberAt(step, "files") ?? 0 }), sizeText(limitless));
  const games = numberAt(step, "games");
  if (games !== void 0) parts.push(t5("gamesN", { n: games }));
  for (const [key, word] of [["p50_ms", "figMedian"], ["p99_ms", "fig99"], ["max_ms", "figMax"], ["waited_ms", "figWaited"], ["limit_ms", "figLimit"]]) {
    const value = numberAt(step, key);
    if (value !== void 0) parts.push(t5(word, { ms: num(value) }));
  }
  const late = numberAt(step, "late");
  if (late) parts.push(t5("figLate", { n: late }));
  const memory = numberAt(step, "memory_kib");
  if (memory !== void 0) parts.push(t5("figMemory", { used: sizeText(memory * 1024), limit: sizeText((numberAt(step, "memory_limit_kib") ?? 0) * 1024) }));
  for (const [key, word] of [["threads", "figThreads"], ["files", "figFiles"]]) {
    const value = numberAt(step, key);
    const limit = numberAt(step, `${key}_limit`);
    if (value !== void 0 && limit !== void 0) parts.push(t5(word, { used: num(value), limit: num(limit) }));
  }
  const output = numberAt(step, "output_bytes");
  if (output !== void 0) parts.push(t5("figOutput", { used: sizeText(output), limit: sizeText(numberAt(step, "output_limit_bytes") ?? 0) }));
  return parts.join(" · ");
}
function sumOf(report) {
  const verdicts = report.steps.map(verdictOf);
  return { failed: verdicts.filter((each) => each === "failed").length, warned: verdicts.filter((each) => each === "warning").length };
}
var stepWord = (step) => wordOf("step_", step);

// src/site/upload.ts
function putFile(path, file, told) {
  const request = new XMLHttpRequest();
  const done = new Promise((good, bad) => {
    request.open("PUT", api + path);
    for (const [name2, value] of Object.entries(headersFor("application/octet-stream"))) request.setRequestHeader(name2, value);
    request.upload.onprogress = (event) => told(event.loaded);
    request.onload = () => {
      lost.value = false;
      try {
        good(taken(request.status, request.responseText));
      } catch (error) {
        bad(error);
      }
    };
    request.onerror = () => bad(new ApiError(0, "network", t5("uploadBroken")));
    request.onabort = () => bad(new ApiError(-1, "stopped", t5("uploadStopped")));
    request.send(file);
  });
  return { done, stop: () => request.abort() };
}
function fileTrouble(name2, bytes, language, limit) {
  if (bytes === 0) return "fileEmpty";
  if (limit !== void 0 && bytes > limit) return "fileLarge";
  const endings = { java: /\.jar$/i, dotnet: /\.(?:dll|zip)$/i, python: /\.zip$/i, native: /\.zip$/i };
  return endings[language] && !endings[language].test(name2) ? "fileKind" : "";
}
function languageOf(name2, languages) {
  const told = /\.jar$/i.test(name2) ? "java" : /\.dll$/i.test(name2) ? "dotnet" : "";
  return languages.includes(told) ? told : "";
}

// src/site/pages/TeamDocuments.tsx
var kinds = ["source", "description"];
var mediaOf = (name2) => /\.pdf$/i.test(name2) ? "application/pdf" : /\.md$/i.test(name2) ? "text/markdown" : /\.txt$/i.test(name2) ? "text/plain" : /\.zip$/i.test(name2) ? "application/zip" : /\.(?:tar\.gz|tgz)$/i.test(name2) ? "application/gzip" : "application/octet-stream";
function One2({ kind, props }) {
  const { contest, team, path, again } = props;
  const file = useSignal(null);
  const going = useSignal(null);
  const there = team.documents.filter((each) => each.kind === kind);
  const required = (contest.stages ?? []).some((stage) => stage.require?.includes(kind));
  return /* @__PURE__ */ a4(Block, { title: t5(`doc_${kind}`), tools: there.length > 0 ? /* @__PURE__ */ a4("span", { class: "pill good", children: t5("received") }) : required ? /* @__PURE__ */ a4("span", { class: "pill now", children: t5("required") }) : null, children: [
    /* @__PURE__ */ a4("p", { class: "lead", children: t5(kind === "source" ? "docSourceText" : "docDescriptionText") }),
    there.length > 0 && /* @__PURE__ */ a4("ul", { class: "items panel gap", children: there.map((each, i4) => /* @__PURE__ */ a4("li", { class: "item", children: [
      /* @__PURE__ */ a4("div", { class: "item-main", children: [
        /* @__PURE__ */ a4("span", { class: "item-name", children: each.number !== void 0 ? t5("versionN", { n: each.number }) : t5("received") }),
        /* @__PURE__ */ a4("bdi", { class: "note", children: shown([each.media, each.licence].filter(Boolean).join(" · ")) })
      ] }),
      /* @__PURE__ */ a4("span", { class: "note", children: /* @__PURE__ */ a4(When2, { at: each.at }) })
    ] }, each.id ?? i4)) }),
    props.standing.team === team.name && whyIdle(contest, team) === "" && /* @__PURE__ */ a4("div", { class: "panel", children: /* @__PURE__ */ a4(Form, { button: t5("upload"), quiet: there.length > 0, label: t5(`doc_${kind}`), draft: `document.${contest.name}.${kind}`, first: { licence: there[0]?.licence ?? "" }, keepAfter: true, onSend: async (values) => {
      const chosen = file.value;
      if (!chosen) throw new ApiError(-1, "file", t5("fileMissing"));
      const query = new URLSearchParams({ licence: values["licence"] ?? "", media: mediaOf(chosen.name) });
      const upload = putFile(`${path}/documents/${kind}?${query.toString()}`, chosen, (sent2) => {
        if (going.value) going.value = { ...going.value, sent: sent2 };
      });
      going.value = { sent: 0, all: chosen.size, stop: upload.stop };
      try {
        await upload.done;
      } finally {
        going.value = null;
      }
      file.value = null;
      again();
      return t5("uploadDone");
    }, children: [
      /* @__PURE__ */ a4("div", { class: "whole", children: /* @__PURE__ */ a4(DropFile, { file: file.value, onFile: (chosen) => {
        file.value = chosen;
      }, label: t5("chooseFile"), accept: kind === "source" ? ".zip,.tar.gz,.tgz,.jar" : ".pdf,.md,.txt", hint: kind === "description" ? "PDF, Markdown, TXT · 20 MiB" : "zip, tar.gz" }) }),
      /* @__PURE__ */ a4(Field, { name: "licence", label: t5("licence"), maxLength: 200, hint: t5("licenceHint"), wide: true }),
      going.value && /* @__PURE__ */ a4("div", { class: "whole", children: /* @__PURE__ */ a4(Going, { ...going.value }) })
    ] }) })
  ] });
}
function Documents(props) {
  const closes = whyIdle(props.contest, props.team) === "" ? props.contest.dates?.["revision_closes"] : void 0;
  return /* @__PURE__ */ a4($, { children: [
    closes && /* @__PURE__ */ a4("p", { class: "lead", children: [
      t5("docDeadline"),
      " ",
      /* @__PURE__ */ a4(Moment, { at: closes, zone: zoneOf(props.contest) })
    ] }),
    kinds.map((kind) => /* @__PURE__ */ a4(One2, { kind, props }, kind))
  ] });
}

// src/site/lot.ts
var LOT_BYTES = 32;
async function lotEntry(team, lot) {
  const head = new TextEncoder().encode(`warg-lot-v1\0${team}\0`);
  const all = new Uint8Array(head.length + lot.length);
  all.set(head);
  all.set(lot, head.length);
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", all)));
}
var drawLot = () => crypto.getRandomValues(new Uint8Array(LOT_BYTES));
var place2 = (contest, team, stage) => `lot.${contest}.${team}.${stage}`;
var keepLot = (contest, team, stage, lot) => keep(place2(contest, team, stage), hex(lot));
async function keptLot(contest, team, stage, entry) {
  const text = kept(place2(contest, team, stage)) ?? "";
  return await isLot(team, text, entry) ? text : "";
}
async function isLot(team, text, entry) {
  const bytes = bytesOfHex(text);
  return bytes !== null && bytes.length === LOT_BYTES && await lotEntry(team, bytes) === entry;
}
var lotFile = (contest, team, stage, lot, entry) => `# warg: the lot of a team. Keep it secret until the versions of its stage are frozen; then open it.
# contest ${contest}
# team ${team}
# stage ${stage}
# entry ${entry}
${hex(lot)}
`;
var lotInText = (text) => text.split("\n").map((line) => line.trim()).find((line) => /^[0-9a-fA-F]{64}$/.test(line))?.toLowerCase() ?? "";

// src/site/pages/TeamLots.tsx
var order2 = ["DRAFT", "OPEN", "FROZEN", "PRELIMINARY", "REVISION", "FINAL", "JUDGING", "APPEALS", "PUBLISHED", "ARCHIVED"];
var closesAt = { preliminary: "FROZEN", final: "FINAL", evaluation: "JUDGING" };
var isClosed = (state, stage) => order2.indexOf(state) >= order2.indexOf(closesAt[stage] ?? "FROZEN");
var lotStages = (stages, judged) => [...(stages ?? []).map((stage) => stage.name), ...judged ? ["evaluation"] : []];
function Make({ stage, props }) {
  const { contest, team, path, again } = props;
  const busy = useSignal(false);
  const make = async () => {
    busy.value = true;
    try {
      if (!globalThis.crypto?.subtle) throw new ApiError(-1, "crypto", t5("lotInsecure"));
      const lot = drawLot();
      const entry = await lotEntry(team.name, lot);
      keepLot(contest.name, team.name, stage, lot);
      saveFile(`lot-${contest.name}-${stage}.txt`, [lotFile(contest.name, team.name, stage, lot, entry)], "text/plain");
      await change("PUT", `${path}/lots/${encodeURIComponent(stage)}`, { entry });
      toast(t5("lotEntered"));
      again();
    } catch (error) {
      toast(asTrouble(error).message, true);
    }
    busy.value = false;
  };
  return /* @__PURE__ */ a4("p", { class: "acts", children: /* @__PURE__ */ a4("button", { type: "button", class: "button strong", "aria-disabled": busy.value, onClick: () => {
    if (!busy.value) void make();
  }, children: [
    t5("lotMake"),
    /* @__PURE__ */ a4("span", { class: "unseen", children: [
      " ",
      wordOf("stage_", stage)
    ] })
  ] }) });
}
function Open({ stage, entry, props }) {
  const { contest, team, path, again } = props;
  const found = useSignal("");
  const turn = useSignal(0);
  A2(() => void keptLot(contest.name, team.name, stage, entry).then((lot) => {
    found.value = lot;
  }), [entry]);
  return /* @__PURE__ */ a4(Form, { button: t5("lotOpen"), first: { lot: found.value }, onSend: async (values) => {
    const lot = lotInText(values["lot"] ?? "");
    if (!await isLot(team.name, lot, entry)) throw new ApiError(-1, "lot", t5("lotWrong"), { error: { field: "lot" } });
    await change("PUT", `${path}/lots/${encodeURIComponent(stage)}`, { lot });
    again();
    return t5("done");
  }, children: [
    /* @__PURE__ */ a4("div", { class: "whole", children: /* @__PURE__ */ a4(DropFile, { file: null, label: t5("lotFile"), accept: ".txt", onFile: (file) => void file.text().then((text) => {
      found.value = lotInText(text);
      turn.value++;
      if (found.value === "") toast(t5("lotWrong"), true);
    }) }) }),
    /* @__PURE__ */ a4(Field, { name: "lot", label: t5("lotSecret"), required: true, wide: true, hint: t5(found.value ? "lotFound" : "lotPaste") })
  ] }, `${found.value} ${turn.value}`);
}
function Lots(props) {
  const { contest, team, standing } = props;
  const stages = lotStages(contest.stages, (contest.tracks?.length ?? 0) > 0);
  return /* @__PURE__ */ a4(Block, { title: t5("partLots"), children: [
    /* @__PURE__ */ a4("p", { class: "lead", children: t5("lotsText") }),
    stages.map((stage) => {
      const lot = team.lots.find((each) => each.stage === stage);
      const closed = isClosed(contest.state, stage);
      return /* @__PURE__ */ a4("div", { class: "panel gap lot", children: [
        /* @__PURE__ */ a4("div", { class: "block-head", children: [
          /* @__PURE__ */ a4("h3", { children: wordOf("stage_", stage) }),
          /* @__PURE__ */ a4("span", { class: lot?.opened ? "pill good" : lot?.entry ? "pill now" : "pill", children: t5(lot?.opened ? "lotIsOpen" : lot?.entry ? closed ? "lotToOpen" : "lotIn" : closed ? "lotNone" : "lotNotYet") })
        ] }),
        lot?.entry && /* @__PURE__ */ a4(Copy, { text: lot.entry, label: t5("lotEntryLabel") }),
        lot?.entry && !closed && /* @__PURE__ */ a4("p", { class: "note", children: t5("lotKeep") }),
        standing.captain && !lot?.entry && !closed && /* @__PURE__ */ a4(Make, { stage, props }),
        standing.captain && lot?.entry && closed && !lot.opened && /* @__PURE__ */ a4(Open, { stage, entry: lot.entry, props })
      ] }, stage);
    })
  ] });
}

// src/site/pages/TeamConnect.tsx
function Away({ track, own, props }) {
  const zone = zoneOf(props.contest);
  const wall = (text) => Number.isNaN(msOf(text)) ? "" : wallIn(zone, msOf(text));
  return /* @__PURE__ */ a4(Fold, { title: own.away ? /* @__PURE__ */ a4($, { children: [
    t5("awayNow"),
    " ",
    /* @__PURE__ */ a4(Moment, { at: own.away.from, zone }),
    " – ",
    /* @__PURE__ */ a4(Moment, { at: own.away.to, zone })
  ] }) : t5("away"), children: [
    /* @__PURE__ */ a4("p", { class: "lead", children: t5("awayText", { zone }) }),
    /* @__PURE__ */ a4(Form, { button: t5("save"), quiet: true, first: { from: wall(own.away?.from), to: wall(own.away?.to) }, keepAfter: true, onSend: async (values) => {
      const moment = (name2) => {
        const ms = momentIn(zone, values[name2] ?? "");
        return Number.isNaN(ms) ? {} : { [name2]: new Date(ms).toISOString() };
      };
      await change("PUT", `${props.path}/tracks/${encodeURIComponent(track)}`, { away: { ...moment("from"), ...moment("to") } });
      props.again();
      return t5("saved");
    }, children: [
      /* @__PURE__ */ a4(Field, { name: "from", type: "datetime-local", label: t5("awayFrom") }),
      /* @__PURE__ */ a4(Field, { name: "to", type: "datetime-local", label: t5("awayTo") })
    ] })
  ] });
}
function Track({ track, props }) {
  const { contest, path, team, standing } = props;
  const own = team.tracks?.find((each) => each.track === track);
  const given = useSignal(null);
  const there = useLoaded(`contests/${encodeURIComponent(contest.name)}/tracks/${encodeURIComponent(track)}/waiting`);
  useEach(5e3, () => {
    there.again();
    props.again();
  });
  const now = there.value.value;
  const connected = own?.connected ?? [];
  const zone = zoneOf(contest);
  const windows = (contest.windows ?? []).filter((each) => each.track === track);
  const enter = (entered) => {
    change("PUT", `${path}/tracks/${encodeURIComponent(track)}`, { entered }).then(props.again, (error) => toast(asTrouble(error).message, true));
  };
  const name2 = /* @__PURE__ */ a4("span", { class: "unseen", children: [
    " ",
    shown(track)
  ] });
  const url = given.value?.url ?? own?.url;
  return /* @__PURE__ */ a4(Block, { title: /* @__PURE__ */ a4("bdi", { children: shown(track) }), tools: own ? /* @__PURE__ */ a4("span", { class: "pills", children: [
    /* @__PURE__ */ a4("span", { class: own.state === "OUT" ? "pill warn" : own.state === "QUALIFIED" ? "pill good" : "pill now", children: wordOf("track_", own.state) }),
    /* @__PURE__ */ a4("span", { class: connected.length > 0 ? "pill good" : "pill", role: "status", children: connected.length > 0 ? t5("connectedN", { names: shown(connected.join(", ")) }) : t5("notConnected") })
  ] }) : null, children: [
    windows.map((window_) => /* @__PURE__ */ a4("p", { class: "lead", children: [
      t5("window"),
      " ",
      /* @__PURE__ */ a4(Moment, { at: window_.from, zone }),
      " – ",
      /* @__PURE__ */ a4(Moment, { at: window_.to, zone })
    ] }, window_.from)),
    /* @__PURE__ */ a4("div", { class: "panel gap", children: [
      !own && (standing.captain && contest.state === "OPEN" ? /* @__PURE__ */ a4("p", { class: "acts", children: /* @__PURE__ */ a4("button", { type: "button", class: "button strong", onClick: () => enter(true), children: [
        t5("trackEnter"),
        name2
      ] }) }) : /* @__PURE__ */ a4("p", { class: "note", children: t5("trackNotIn") })),
      own && own.needed !== void 0 && /* @__PURE__ */ a4("p", { children: t5("selfMatches", { done: String(own.qualified ?? 0), n: own.needed }) }),
      own && own.needed ? /* @__PURE__ */ a4("progress", { class: "progress", max: own.needed, value: Math.min(own.qualified ?? 0, own.needed), "aria-label": t5("selfMatches", { done: String(own.qualified ?? 0), n: own.needed }) }) : null,
      own && url && /* @__PURE__ */ a4(Copy, { text: url, label: t5("serverAddress") }),
      own && own.open === false && /* @__PURE__ */ a4("p", { class: "note", children: t5("trackShut") }),
      own && given.value && /* @__PURE__ */ a4($, { children: [
        /* @__PURE__ */ a4("p", { role: "status", children: t5("tokenMade") }),
        /* @__PURE__ */ a4(Copy, { text: given.value.token, label: t5("token") }),
        given.value.ends && /* @__PURE__ */ a4("p", { class: "note", children: [
          t5("until"),
          " ",
          /* @__PURE__ */ a4(Moment, { at: given.value.ends, zone })
        ] })
      ] }),
      own && !given.value && standing.captain && /* @__PURE__ */ a4("p", { class: "acts", children: [
        /* @__PURE__ */ a4("button", { type: "button", class: "button strong", onClick: () => void change("POST", `${path}/token`, { track }).then((made2) => {
          given.value = made2;
        }, (error) => toast(asTrouble(error).message, true)), children: [
          t5("tokenGet"),
          name2
        ] }),
        contest.state === "OPEN" && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => enter(false), children: [
          t5("trackLeave"),
          name2
        ] })
      ] }),
      own?.closed && /* @__PURE__ */ a4("p", { children: [
        /* @__PURE__ */ a4("strong", { children: t5("lastClose") }),
        " ",
        /* @__PURE__ */ a4("span", { class: "note", children: [
          own.closed.code,
          " "
        ] }),
        shown([own.closed.words, own.closed.why].filter(Boolean).join(" – "))
      ] }),
      now?.progress && /* @__PURE__ */ a4("p", { class: "note", children: t5("trackProgress", { done: now.progress.done, n: now.progress.total }) }),
      now?.awaited && now.awaited.length > 0 && /* @__PURE__ */ a4("p", { class: "note", children: t5("awaited", { names: shown(now.awaited.join(", ")) }) }),
      own && standing.captain && /* @__PURE__ */ a4(Away, { track, own, props })
    ] })
  ] });
}
function Connect(props) {
  const tracks = [.../* @__PURE__ */ new Set([...(props.contest.tracks ?? []).map((each) => each.name)])];
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("p", { class: "lead", children: t5("connectText") }),
    tracks.map((track) => /* @__PURE__ */ a4(Track, { track, props }, track)),
    /* @__PURE__ */ a4(Block, { title: t5("connectMistakes"), children: /* @__PURE__ */ a4("ul", { class: "panel howto", children: [
      /* @__PURE__ */ a4("li", { children: t5("mistake1") }),
      /* @__PURE__ */ a4("li", { children: t5("mistake2") }),
      /* @__PURE__ */ a4("li", { children: t5("mistake3") }),
      /* @__PURE__ */ a4("li", { children: t5("mistake4", { name: props.team.name }) })
    ] }) }),
    /* @__PURE__ */ a4("p", { class: "below", children: [
      /* @__PURE__ */ a4("a", { href: `/api/v1/${props.path}/logs.zip`, download: `${props.contest.name}-${props.team.name}-logs.zip`, children: t5("logsZip") }),
      /* @__PURE__ */ a4("span", { class: "note", children: wordOf("publish_", props.contest.publish?.logs ?? "own") })
    ] })
  ] });
}

// src/site/pages/TeamPeople.tsx
var kinds2 = ["version-received", "version-passed", "version-refused", "version-suspended", "round", "deadline", "state", "token-ends"];
function People({ contest, team, path, standing, again }) {
  const link = useSignal("");
  const act = (promise) => {
    promise.then(again, (error) => toast(asTrouble(error).message, true));
  };
  const secret = useSignal("");
  const consents = (name2) => team.consent?.[name2] ? "yes" : "";
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4(Block, { title: t5("members"), tools: standing.captain && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => act(change("POST", `${path}/invite`).then((made2) => {
      link.value = new URL(made2.link, location.origin).href;
    })), children: t5("invite") }), children: [
      link.value && /* @__PURE__ */ a4("div", { class: "panel gap", role: "status", children: [
        /* @__PURE__ */ a4("p", { children: t5("inviteLink") }),
        /* @__PURE__ */ a4(Copy, { text: link.value, label: t5("invite") })
      ] }),
      /* @__PURE__ */ a4("ul", { class: "items panel", children: team.members.map((member) => /* @__PURE__ */ a4("li", { class: "item", children: [
        /* @__PURE__ */ a4("div", { class: "item-main", children: /* @__PURE__ */ a4("bdi", { class: "item-name", children: shown(member.name) }) }),
        member.captain && /* @__PURE__ */ a4("span", { class: "pill", children: t5("captain") }),
        standing.captain && !member.captain && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => act(change("PATCH", `${path}/members/${encodeURIComponent(member.id)}`, { captain: true })), children: [
          t5("makeCaptain"),
          /* @__PURE__ */ a4("span", { class: "unseen", children: [
            " ",
            shown(member.name)
          ] })
        ] }),
        (standing.captain ? !member.captain : member.id === me.value?.id && !member.captain) && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => act(change("DELETE", `${path}/members/${encodeURIComponent(member.id)}`).then(findMe)), children: [
          t5(member.id === me.value?.id ? "leave" : "remove"),
          /* @__PURE__ */ a4("span", { class: "unseen", children: [
            " ",
            shown(member.name)
          ] })
        ] })
      ] }, member.id)) })
    ] }),
    standing.captain && /* @__PURE__ */ a4($, { children: [
      /* @__PURE__ */ a4(Block, { title: t5("teamData"), children: [
        secret.value && /* @__PURE__ */ a4("div", { class: "panel gap", role: "status", children: [
          /* @__PURE__ */ a4("p", { children: t5("hookSecret") }),
          /* @__PURE__ */ a4(Copy, { text: secret.value, label: t5("webhook") })
        ] }),
        /* @__PURE__ */ a4("div", { class: "panel", children: /* @__PURE__ */ a4(Form, { button: t5("save"), first: { affiliation: team.affiliation ?? "", webhook: team.webhook ?? "", affiliation_public: consents("affiliation"), members_public: consents("members"), sources_public: consents("sources"), ...Object.fromEntries(kinds2.map((kind) => [`tell_${kind}`, (team.quiet ?? "").split(" ").includes(kind) ? "" : "yes"])) }, keepAfter: true, onSend: async (values) => {
          const webhook = values["webhook"] ?? "";
          const made2 = await change("PATCH", path, {
            affiliation: values["affiliation"] ?? "",
            consent: Object.fromEntries(["affiliation", "members", "sources"].map((each) => [each, values[`${each}_public`] === "yes"])),
            quiet: kinds2.filter((kind) => values[`tell_${kind}`] !== "yes"),
            ...webhook === (team.webhook ?? "") ? {} : { webhook }
            // a new one has a new secret
          });
          secret.value = made2?.hook_secret ?? "";
          again();
          return t5("saved");
        }, children: [
          /* @__PURE__ */ a4(Field, { name: "affiliation", label: t5("affiliation"), maxLength: 200 }),
          /* @__PURE__ */ a4(Field, { name: "webhook", label: t5("webhook"), type: "url", maxLength: 500, hint: t5("webhookHint") }),
          /* @__PURE__ */ a4("fieldset", { class: "ticks", children: [
            /* @__PURE__ */ a4("legend", { children: t5("consent") }),
            /* @__PURE__ */ a4(Tick, { name: "affiliation_public", label: t5("consentAffiliation") }),
            /* @__PURE__ */ a4(Tick, { name: "members_public", label: t5("consentMembers") }),
            /* @__PURE__ */ a4(Tick, { name: "sources_public", label: t5("consentSources") })
          ] }),
          /* @__PURE__ */ a4("fieldset", { class: "ticks", children: [
            /* @__PURE__ */ a4("legend", { children: t5("tellUs") }),
            kinds2.map((kind) => /* @__PURE__ */ a4(Tick, { name: `tell_${kind}`, label: t5(`tell_${kind}`) }, kind))
          ] })
        ] }) })
      ] }),
      team.state !== "WITHDRAWN" && !["PUBLISHED", "ARCHIVED", "CANCELLED"].includes(contest.state) && /* @__PURE__ */ a4(Fold, { title: t5("withdraw"), danger: true, children: [
        /* @__PURE__ */ a4("p", { class: "lead", children: t5("withdrawText") }),
        /* @__PURE__ */ a4(Form, { button: t5("withdraw"), danger: true, onSend: async () => {
          await change("POST", `${path}/withdraw`);
          await findMe();
          again();
          go(pathTo(contest.name));
        } })
      ] })
    ] })
  ] });
}
var Notices = ({ team }) => team.notices.length === 0 ? /* @__PURE__ */ a4(Empty, { title: t5("noNotices") }) : /* @__PURE__ */ a4("ul", { class: "items panel", children: team.notices.map((notice, i4) => /* @__PURE__ */ a4("li", { class: "item", children: [
  /* @__PURE__ */ a4("div", { class: "item-main", children: [
    /* @__PURE__ */ a4("bdi", { class: "item-name", children: shown(notice.subject ?? notice.kind) }),
    /* @__PURE__ */ a4("bdi", { class: "note pre", children: shown(both(notice.text ?? notice.body)) })
  ] }),
  /* @__PURE__ */ a4("span", { class: "note item-when", children: /* @__PURE__ */ a4(When2, { at: notice.at }) })
] }, notice.id ?? i4)) });

// src/site/ReportView.tsx
var signs2 = { ok: "✓", warning: "!", failed: "✕", skipped: "–", now: "…", later: "·" };
var Sign = ({ verdict }) => /* @__PURE__ */ a4("span", { class: `sign-v v-${verdict}`, "aria-hidden": "true", children: signs2[verdict] });
var Lines3 = ({ title, lines: lines2 }) => !lines2 || lines2.length === 0 ? null : /* @__PURE__ */ a4("div", { class: "lines", children: [
  /* @__PURE__ */ a4("span", { class: "note", children: title }),
  /* @__PURE__ */ a4("pre", { tabIndex: 0, children: lines2.map((line) => shown(line)).join("\n") })
] });
function Step({ step, report }) {
  const verdict = verdictOf(step);
  const found = (report.findings ?? []).filter((each) => (each.step ?? "conduct") === step.step || step.step === "conduct" && !report.steps.some((other) => other.step === each.step));
  const figures = figuresOf(step);
  return /* @__PURE__ */ a4("li", { class: "step", children: [
    /* @__PURE__ */ a4(Sign, { verdict }),
    /* @__PURE__ */ a4("div", { class: "step-body", children: [
      /* @__PURE__ */ a4("p", { class: "step-head", children: [
        /* @__PURE__ */ a4("strong", { children: stepWord(step.step) }),
        " ",
        /* @__PURE__ */ a4("span", { children: t5(`verdict_${verdict}`) }),
        step.ms !== void 0 && verdict !== "skipped" && /* @__PURE__ */ a4("span", { class: "note", children: [
          " ",
          num(Math.round(step.ms * 10) / 10),
          " ms"
        ] })
      ] }),
      (step.text ?? figures) && /* @__PURE__ */ a4("p", { class: "note", children: shown(step.text ?? figures) }),
      step.advice && /* @__PURE__ */ a4("p", { class: "advice", children: [
        /* @__PURE__ */ a4("strong", { children: t5("whatToChange") }),
        " ",
        shown(lang.value === "ja" && step.advice_ja || step.advice)
      ] }),
      /* @__PURE__ */ a4(Lines3, { title: t5("evidence"), lines: step.evidence }),
      found.length > 0 && /* @__PURE__ */ a4("ul", { class: "found", children: found.map((each, i4) => /* @__PURE__ */ a4("li", { children: [
        /* @__PURE__ */ a4("strong", { children: wordOf("rule_", each.rule) }),
        " ",
        /* @__PURE__ */ a4("bdi", { children: shown(each.text) }),
        each.game !== void 0 && /* @__PURE__ */ a4("span", { class: "note", children: [
          " ",
          t5("gameNumber", { n: String(each.game) }),
          each.day !== void 0 && /* @__PURE__ */ a4($, { children: [
            ", ",
            t5("dayNumber", { n: String(each.day) })
          ] })
        ] })
      ] }, i4)) }),
      /* @__PURE__ */ a4(Lines3, { title: t5("lastLines"), lines: step.output })
    ] })
  ] });
}
function ReportSteps({ report }) {
  const { failed, warned } = sumOf(report);
  const warnings = lang.value === "ja" && report.warnings_ja || (report.warnings ?? []);
  return /* @__PURE__ */ a4("div", { class: "report", children: [
    /* @__PURE__ */ a4("p", { class: "lead", children: [
      /* @__PURE__ */ a4("span", { class: report.verdict === "passed" ? "pill good" : "pill warn", children: wordOf("reported_", report.verdict) }),
      " ",
      failed > 0 && t5("stepsFailed", { n: failed }),
      " ",
      warned > 0 && t5("stepsWarned", { n: warned }),
      report.level && /* @__PURE__ */ a4("span", { class: "note", children: [
        " ",
        t5("checkLevel", { level: report.level })
      ] })
    ] }),
    /* @__PURE__ */ a4("ol", { class: "steps", children: report.steps.map((step) => /* @__PURE__ */ a4(Step, { step, report }, step.step)) }),
    warnings.length > 0 && /* @__PURE__ */ a4("ul", { class: "warnings", children: warnings.map((each, i4) => /* @__PURE__ */ a4("li", { children: shown(each) }, i4)) })
  ] });
}
function ReportOf({ path }) {
  const report = useLoaded(path);
  return /* @__PURE__ */ a4(When, { of: report, children: (value) => /* @__PURE__ */ a4(ReportSteps, { report: value }) });
}

// src/site/pages/TeamVersions.tsx
var entryHints = { java: "entryJava", dotnet: "entryDotnet", python: "entryPython", native: "entryNative" };
var accepts = { java: ".jar", dotnet: ".dll,.zip", python: ".zip", native: ".zip" };
function useSending() {
  const going = useSignal(null);
  const send = async (contestPath, version, file) => {
    const upload = putFile(`${contestPath}/versions/${version}/file`, file, (sent2) => {
      if (going.value) going.value = { ...going.value, sent: sent2 };
    });
    going.value = { sent: 0, all: file.size, stop: upload.stop };
    try {
      await upload.done;
    } finally {
      going.value = null;
    }
  };
  return { going, send };
}
function ByLanguage({ languages, file, onFile, limit }) {
  const language = useValue("language") || (languages[0] ?? "");
  const wrong = file ? fileTrouble(file.name, file.size, language, limit) : "";
  const hint = entryHints[language];
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4(Field, { name: "entry", label: t5(language === "java" ? "entryClass" : "entryFile"), required: language !== "dotnet", maxLength: 255, hint: hint ? t5(hint) : void 0 }),
    /* @__PURE__ */ a4("div", { class: "whole", children: /* @__PURE__ */ a4(
      DropFile,
      {
        file,
        onFile,
        label: t5("chooseFile"),
        accept: accepts[language] ?? "",
        hint: limit === void 0 ? "" : t5("atMost", { size: sizeText(limit) }),
        wrong: wrong === "" ? "" : t5(wrong, { size: sizeText(limit ?? 0), kinds: accepts[language] ?? "" })
      }
    ) }),
    /* @__PURE__ */ a4(Field, { name: "note", label: t5("versionNote"), maxLength: 500, wide: true })
  ] });
}
function NewVersion({ contest, path, again }) {
  const languages = contest.submit?.languages ?? ["java", "dotnet", "python", "native"];
  const limit = contest.submit?.file_bytes;
  const file = useSignal(null);
  const { going, send } = useSending();
  const made2 = T2(null);
  const contestPath = `contests/${encodeURIComponent(contest.name)}`;
  return /* @__PURE__ */ a4("div", { class: "panel", children: /* @__PURE__ */ a4(Form, { button: t5("upload"), draft: `version.${contest.name}`, first: { language: languages[0] ?? "" }, label: t5("newVersion"), keepAfter: true, onSend: async (values) => {
    const chosen = file.value;
    const language = values["language"] ?? "";
    if (!chosen) throw new ApiError(-1, "file", t5("fileMissing"));
    const wrong = fileTrouble(chosen.name, chosen.size, language, limit);
    if (wrong !== "") throw new ApiError(-1, "file", t5(wrong, { size: sizeText(limit ?? 0), kinds: accepts[language] ?? "" }));
    const asked2 = { language, entry: (values["entry"] ?? "").trim(), note: (values["note"] ?? "").trim() };
    const key = JSON.stringify(asked2);
    if (made2.current?.key !== key) made2.current = { id: (await change("POST", `${path}/versions`, asked2)).id, key };
    await send(contestPath, made2.current.id, chosen);
    made2.current = null;
    file.value = null;
    again();
    return t5("uploadDone");
  }, children: [
    /* @__PURE__ */ a4(Field, { name: "language", label: t5("language"), options: languages.map((each) => [each, wordOf("lang_", each)]) }),
    /* @__PURE__ */ a4(ByLanguage, { languages, limit, file: file.value, onFile: (chosen) => {
      file.value = chosen;
      const told = languageOf(chosen.name, languages);
      if (told === "") return;
    } }),
    going.value && /* @__PURE__ */ a4("div", { class: "whole", children: /* @__PURE__ */ a4(Going, { ...going.value }) })
  ] }) });
}
function Way({ version }) {
  const at = states.indexOf(version.state);
  if (at < 0 || lacksFile(version)) return null;
  return /* @__PURE__ */ a4("ol", { class: "way", "aria-label": t5("wayLabel"), children: states.slice(0, 5).map((state, i4) => /* @__PURE__ */ a4("li", { class: i4 < at || version.state === "ACTIVE" ? "done" : i4 === at ? "now" : "", "aria-current": i4 === at ? "step" : void 0, children: t5(`way_${state}`) }, state)) });
}
var pillOf = (version) => version.state === "ACTIVE" || version.state === "PASSED" ? "pill good" : version.state === "REFUSED" || version.state === "SUSPENDED" ? "pill warn" : version.state === "RETIRED" ? "pill" : "pill now";
function Row2({ version, props }) {
  const { contest, again } = props;
  const wanted = useSignal(null);
  const open = wanted.value ?? version.state === "REFUSED";
  const file = useSignal(null);
  const { going, send } = useSending();
  const contestPath = `contests/${encodeURIComponent(contest.name)}`;
  const one = `${contestPath}/versions/${version.id}`;
  const act = (promise) => {
    promise.then(again, (error) => {
      toast(asTrouble(error).message, true);
      again();
    });
  };
  const reported = !goesOn(version) && !lacksFile(version);
  return /* @__PURE__ */ a4("li", { class: "version", children: [
    /* @__PURE__ */ a4("div", { class: "item", children: [
      /* @__PURE__ */ a4("div", { class: "item-main", children: [
        /* @__PURE__ */ a4("span", { class: "item-name", children: [
          t5("versionN", { n: version.number }),
          " ",
          /* @__PURE__ */ a4("span", { class: "note", children: [
            wordOf("lang_", version.language),
            version.entry && /* @__PURE__ */ a4($, { children: [
              " · ",
              /* @__PURE__ */ a4("bdi", { children: shown(version.entry) })
            ] })
          ] })
        ] }),
        /* @__PURE__ */ a4("span", { class: "note", children: [
          version.at && /* @__PURE__ */ a4(When2, { at: version.at }),
          version.bytes ? /* @__PURE__ */ a4($, { children: [
            " · ",
            sizeText(version.bytes)
          ] }) : null,
          version.sha256 && /* @__PURE__ */ a4($, { children: [
            " · ",
            /* @__PURE__ */ a4("span", { title: version.sha256, children: [
              "sha256 ",
              version.sha256.slice(0, 12),
              "…"
            ] })
          ] })
        ] }),
        version.note && /* @__PURE__ */ a4("bdi", { class: "note", children: shown(version.note) })
      ] }),
      /* @__PURE__ */ a4("span", { class: pillOf(version), children: lacksFile(version) ? t5("noFileYet") : wordOf("version_", version.state) })
    ] }),
    /* @__PURE__ */ a4("div", { class: "version-body", children: [
      goesOn(version) && /* @__PURE__ */ a4("div", { role: "status", children: [
        /* @__PURE__ */ a4(Way, { version }),
        /* @__PURE__ */ a4("p", { class: "note", children: t5(`wait_${version.state}`) })
      ] }),
      version.why && /* @__PURE__ */ a4("p", { class: "why", children: whyText(version) }),
      lacksFile(version) && /* @__PURE__ */ a4($, { children: [
        /* @__PURE__ */ a4("p", { class: "note", children: t5("noFileText") }),
        going.value ? /* @__PURE__ */ a4(Going, { ...going.value }) : /* @__PURE__ */ a4(DropFile, { file: file.value, accept: accepts[version.language] ?? "", label: t5("chooseFile"), onFile: (chosen) => {
          file.value = chosen;
          act(send(contestPath, version.id, chosen));
        } })
      ] }),
      /* @__PURE__ */ a4("p", { class: "acts", children: [
        reported && /* @__PURE__ */ a4("button", { type: "button", class: "button", "aria-expanded": open, onClick: () => {
          wanted.value = !open;
        }, children: [
          t5(open ? "reportHide" : "reportShow"),
          /* @__PURE__ */ a4("span", { class: "unseen", children: [
            " ",
            num(version.number)
          ] })
        ] }),
        (version.state === "PASSED" || version.state === "RETIRED") && whyIdle(contest, props.team) === "" && (contest.state === "OPEN" || contest.state === "REVISION") && props.standing.team === props.team.name && /* @__PURE__ */ a4("button", { type: "button", class: "button", onClick: () => act(change("POST", `${one}/activate`)), children: [
          t5("activate"),
          /* @__PURE__ */ a4("span", { class: "unseen", children: [
            " ",
            num(version.number)
          ] })
        ] })
      ] }),
      props.standing.organiser && (version.state === "ACTIVE" || version.state === "SUSPENDED") && /* @__PURE__ */ a4(Fold, { title: /* @__PURE__ */ a4($, { children: [
        t5(version.state === "ACTIVE" ? "suspend" : "restore"),
        /* @__PURE__ */ a4("span", { class: "unseen", children: [
          " ",
          num(version.number)
        ] })
      ] }), danger: version.state === "ACTIVE", children: /* @__PURE__ */ a4(Form, { button: t5(version.state === "ACTIVE" ? "suspend" : "restore"), danger: version.state === "ACTIVE", onSend: async (values) => {
        await change("POST", `${contestPath}/rulings`, { version: version.id, decision: version.state === "ACTIVE" ? "suspend" : "restore", reason: values["reason"] ?? "" });
        again();
        return t5("done");
      }, children: /* @__PURE__ */ a4(Field, { name: "reason", label: t5("reason"), required: true, rows: 2, maxLength: 4e3, hint: t5("reasonPublic") }) }) }),
      reported && open && /* @__PURE__ */ a4(ReportOf, { path: `${one}/report` })
    ] })
  ] });
}
function whyText({ why = "", why_ja }) {
  const steps = /^check: ([a-z]+(?: [a-z]+)*)$/.exec(why)?.[1];
  return steps ? t5("whyCheck", { step: steps.split(" ").map(stepWord).join(t5("stepComma")) }) : shown(lang.value === "ja" && why_ja || why);
}
function Versions(props) {
  const { contest, team, path } = props;
  const takes2 = contest.state === "OPEN" || contest.state === "REVISION";
  const own = props.standing.team === team.name && whyIdle(contest, team) === "";
  return /* @__PURE__ */ a4($, { children: [
    own && /* @__PURE__ */ a4(Block, { title: t5("newVersion"), children: takes2 ? /* @__PURE__ */ a4(NewVersion, { ...props }) : /* @__PURE__ */ a4("p", { class: "panel", children: t5("noMoreVersions") }) }),
    /* @__PURE__ */ a4(Block, { title: t5("partVersions"), tools: /* @__PURE__ */ a4("a", { class: "button", href: `/api/v1/${path}/logs.zip`, download: `${contest.name}-${team.name}-logs.zip`, children: t5("logsZip") }), children: team.versions.length === 0 ? /* @__PURE__ */ a4(Empty, { title: t5("noVersions"), children: /* @__PURE__ */ a4("p", { children: t5("noVersionsText") }) }) : /* @__PURE__ */ a4("ul", { class: "panel versions", children: [...team.versions].sort((a5, b3) => b3.number - a5.number).map((version) => /* @__PURE__ */ a4(Row2, { version, props }, version.id)) }) })
  ] });
}

// src/site/pages/Team.tsx
function partsOf(contest, team) {
  const open = team.findings.filter((finding) => finding.state === "PROPOSED" && !finding.answer).length;
  const parts = contest.division === "nlp" ? [["connect", "partConnect"]] : [["versions", "partVersions"]];
  parts.push(["people", "partPeople"], ["findings", "partFindings", open], ["documents", "partDocuments"]);
  if (contest.division !== "nlp") parts.push(["lots", "partLots"]);
  parts.push(["notices", "partNotices"]);
  return parts;
}
function whyIdle(contest, team) {
  if (team.state === "WAITING") return "teamWaits";
  if (team.state === "OUT") return "teamIsOut";
  if (team.state !== "IN") return "teamIsGone";
  return hasFinalists(contest) && team.finalist === false ? "teamNoFinalist" : "";
}
var views2 = { versions: Versions, connect: Connect, people: People, findings: Findings, documents: Documents, lots: Lots, notices: Notices };
function Body8({ contest, name: name2 }) {
  const path = `contests/${encodeURIComponent(contest.name)}/teams/${encodeURIComponent(name2)}`;
  const loaded = useLoaded(path);
  useNews("", loaded.again);
  const quick = loaded.value.value?.versions?.some(goesOn) === true;
  useEach(quick ? 2e3 : 3e4, loaded.again);
  return /* @__PURE__ */ a4(When, { of: loaded, children: (read2) => {
    const team = { ...read2, members: read2.members ?? [], versions: read2.versions ?? [], documents: read2.documents ?? [], lots: read2.lots ?? [], findings: read2.findings ?? [], appeals: read2.appeals ?? [], notices: read2.notices ?? [] };
    const parts = partsOf(contest, team);
    const part = partOf(parts);
    const View = views2[part];
    const standing = standingIn(contest);
    const own = standing.team === team.name;
    return /* @__PURE__ */ a4($, { children: [
      /* @__PURE__ */ a4("div", { class: "block-head", children: [
        /* @__PURE__ */ a4("h2", { children: /* @__PURE__ */ a4("bdi", { children: shown(team.name) }) }),
        team.finalist && hasFinalists(contest) ? /* @__PURE__ */ a4("span", { class: "pill good", children: t5("finalist") }) : /* @__PURE__ */ a4(TeamPill, { team })
      ] }),
      whyIdle(contest, team) && /* @__PURE__ */ a4("p", { class: "panel gap", role: "status", children: t5(whyIdle(contest, team)) }),
      /* @__PURE__ */ a4(Parts, { path: pathTo(contest.name, "team", name2), parts, now: part, label: t5("teamParts") }),
      /* @__PURE__ */ a4(View, { contest, team, path, standing: { ...standing, captain: own && standing.captain }, again: loaded.again })
    ] });
  } });
}
var TeamPage = ({ contest, id }) => /* @__PURE__ */ a4(Inside, { name: contest, title: id, children: (inside) => /* @__PURE__ */ a4(NeedLogin, { children: /* @__PURE__ */ a4(Body8, { contest: inside.contest, name: id }) }) });

// src/site/Site.tsx
var pages = {
  home: Home,
  login: Login,
  register: Register,
  reset: Reset,
  invite: Invite,
  account: Account,
  admin: Admin,
  contest: ContestPage,
  teams: TeamsPage,
  team: TeamPage,
  standings: StandingsPage,
  games: GamesPage,
  game: GamePage,
  ledger: LedgerPage,
  organise: Organise,
  judge: Judge,
  sheet: SheetPage,
  missing: Missing
};
function Site() {
  A2(() => void findMeFirst(), []);
  const { page, contest, id } = placeOf(here.value.path);
  const Page = pages[page];
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4(Lost, {}),
    /* @__PURE__ */ a4(Page, { contest, id }, `${page} ${contest} ${id}`),
    /* @__PURE__ */ a4(Toasts, {})
  ] });
}

// src/site/main.tsx
applySettings();
followLinks();
var place3 = document.getElementById("site") ?? document.body.appendChild(document.createElement("div"));
place3.id = "site";
Q(/* @__PURE__ */ a4(Site, {}), place3);
