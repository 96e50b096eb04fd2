"""Scripts that share nothing with the index but idioms: functions of projects that are not indexed, between idioms that
many indexed scripts have in these or nearly these words.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from benchmarks.effectiveness.programs import SEED, Program
from benchmarks.effectiveness.variants import functions
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.analyzed import Analysis

FUNCTION_LINES = (6, 30)
FUNCTIONS = (2, 4)
"""A script has this many functions, from and to."""

_MODULES: Mapping[str, str] = {
    "header": """\
(function (root, factory) {{
  if (typeof define === 'function' && define.amd) {{
    define(['exports'], factory);
  }} else if (typeof exports === 'object') {{
    factory(exports);
  }} else {{
    factory((root.{name} = {{}}));
  }}
}}(this, function (exports) {{
{body}
}}));
""",
    "conditional": """\
;(function (global, factory) {{
  typeof exports === 'object' && typeof module !== 'undefined' ? module.exports = factory() :
  typeof define === 'function' && define.amd ? define(factory) :
  global.{name} = factory()
}}(this, (function () {{ 'use strict';
{body}
return {name};
}})));
""",
    "footer": """\
(function () {{
  var root = this;
{body}
  if (typeof exports !== 'undefined') {{
    if (typeof module !== 'undefined' && module.exports) {{
      exports = module.exports = {name};
    }}
    exports.{name} = {name};
  }} else if (typeof define === 'function' && define.amd) {{
    define('{name}', [], function () {{
      return {name};
    }});
  }} else {{
    root.{name} = {name};
  }}
}}).call(this);
""",
    "none": "{body}\n",
}
"""The text of a script by the way that it defines its module."""

_HELPERS: Mapping[str, str] = {
    "own properties": """\
function extend(target) {
  for (var i = 1; i < arguments.length; i++) {
    var source = arguments[i];
    for (var key in source) {
      if (Object.prototype.hasOwnProperty.call(source, key)) {
        target[key] = source[key];
      }
    }
  }
  return target;
}
""",
    "own keys": """\
var keys = Object.keys || function (obj) {
  var keys = [];
  for (var key in obj) if (obj.hasOwnProperty(key)) keys.push(key);
  return keys;
};
""",
    "copied arguments": """\
function bind(fn, context) {
  var args = Array.prototype.slice.call(arguments, 2);
  return function () {
    return fn.apply(context, args.concat(Array.prototype.slice.call(arguments)));
  };
}
""",
    "arguments in a loop": """\
function later(fn) {
  var args = new Array(arguments.length - 1);
  for (var i = 1; i < arguments.length; i++) {
    args[i - 1] = arguments[i];
  }
  return setTimeout(function () { fn.apply(null, args); }, 0);
}
""",
    "inherits": """\
function inherits(child, parent) {
  for (var key in parent) {
    if (parent.hasOwnProperty(key)) child[key] = parent[key];
  }
  function Surrogate() { this.constructor = child; }
  Surrogate.prototype = parent.prototype;
  child.prototype = new Surrogate();
  child.__super__ = parent.prototype;
  return child;
}
""",
}


_OTHER_MODULES: Mapping[str, str] = {
    "bundle": """\
(function (f) {{
  if (typeof exports === 'object' && typeof module !== 'undefined') {{
    module.exports = f()
  }} else if (typeof define === 'function' && define.amd) {{
    define([], f)
  }} else {{
    var g;
    if (typeof window !== 'undefined') {{
      g = window
    }} else if (typeof global !== 'undefined') {{
      g = global
    }} else if (typeof self !== 'undefined') {{
      g = self
    }} else {{
      g = this
    }}
    g.{name} = f()
  }}
}})(function () {{
{body}
  return {name};
}});
""",
    "window": """\
(function (window, undefined) {{
{body}
  if (typeof module === 'object' && module && typeof module.exports === 'object') {{
    module.exports = {name};
  }} else {{
    window.{name} = {name};
    if (typeof define === 'function' && define.amd) {{
      define('{name}', [], function () {{ return {name}; }});
    }}
  }}
}})(window);
""",
    "plug-in": """\
(function (factory) {{
  if (typeof define === 'function' && define.amd) {{
    define(['jquery'], factory);
  }} else if (typeof exports === 'object') {{
    module.exports = factory(require('jquery'));
  }} else {{
    factory(jQuery);
  }}
}}(function ($) {{
{body}
}}));
""",
    "none": "{body}\n",
}

_OTHER_HELPERS: Mapping[str, str] = {
    "defaults": """\
function defaults(options, given) {
  for (var prop in given) {
    if (given.hasOwnProperty(prop) && options[prop] === undefined) {
      options[prop] = given[prop];
    }
  }
  return options;
}
""",
    "empty": """\
function isEmpty(obj) {
  for (var k in obj) {
    if (Object.prototype.hasOwnProperty.call(obj, k)) {
      return false;
    }
  }
  return true;
}
""",
    "arguments from the end": """\
function partial(fn) {
  var i = arguments.length, args = [];
  while (i--) {
    args[i] = arguments[i];
  }
  args.shift();
  return function () { return fn.apply(this, args); };
}
""",
    "debounce": """\
function debounce(func, wait) {
  var timeout;
  return function () {
    var context = this, args = arguments;
    clearTimeout(timeout);
    timeout = setTimeout(function () {
      func.apply(context, args);
    }, wait);
  };
}
""",
}

_THIRD_MODULES: Mapping[str, str] = {
    "common first": """\
!function (name, definition) {{
  if (typeof module != 'undefined' && module.exports) module.exports = definition()
  else if (typeof define == 'function' && define.amd) define(name, definition)
  else this[name] = definition()
}}('{name}', function () {{
{body}
  return {name}
}});
""",
    "no conflict": """\
;(function (factory) {{
  var registered;
  if (typeof define === 'function' && define.amd) {{
    define(factory);
    registered = true;
  }}
  if (typeof exports === 'object') {{
    module.exports = factory();
    registered = true;
  }}
  if (!registered) {{
    var before = window.{name};
    var api = window.{name} = factory();
    api.noConflict = function () {{
      window.{name} = before;
      return api;
    }};
  }}
}}(function () {{
{body}
  return {name};
}}));
""",
    "exported": """\
(function (exports) {{
{body}
  exports.{name} = {name};
  if (typeof define === 'function') {{
    define(function () {{ return exports; }});
  }}
}})(typeof exports !== 'undefined' ? exports : this);
""",
    "none": "{body}\n",
}

_THIRD_HELPERS: Mapping[str, str] = {
    "each": """\
function each(object, callback) {
  var index = -1, length = object ? object.length : 0;
  if (length == length >>> 0) {
    while (++index < length) {
      callback(object[index], index, object);
    }
  } else {
    for (var key in object) {
      if (hasOwnProperty.call(object, key)) callback(object[key], key, object);
    }
  }
}
""",
    "merge": """\
function merge() {
  var result = {};
  for (var i = 0; i < arguments.length; i++) {
    var attributes = arguments[i];
    for (var key in attributes) {
      result[key] = attributes[key];
    }
  }
  return result;
}
""",
    "mixin": """\
function mixin(target, source) {
  for (var key in source) {
    if (source.hasOwnProperty(key)) target[key] = source[key];
  }
}
""",
    "once": """\
function once(fn) {
  var called = false, value;
  return function () {
    if (called) return value;
    called = true;
    value = fn.apply(this, arguments);
    fn = null;
    return value;
  };
}
""",
}

_FOURTH_MODULES: Mapping[str, str] = {
    "deferred": """\
(function (definition) {{
  'use strict';
  if (typeof bootstrap === 'function') {{
    bootstrap('{name}', definition);
  }} else if (typeof exports === 'object' && typeof module === 'object') {{
    module.exports = definition();
  }} else if (typeof define === 'function' && define.amd) {{
    define(definition);
  }} else if (typeof window !== 'undefined' || typeof self !== 'undefined') {{
    var scope = typeof window !== 'undefined' ? window : self;
    scope.{name} = definition();
  }} else {{
    throw new Error('This environment was not anticipated.');
  }}
}})(function () {{
{body}
  return {name};
}});
""",
    "webpack": """\
(function webpackUniversalModuleDefinition(root, factory) {{
  if (typeof exports === 'object' && typeof module === 'object')
    module.exports = factory();
  else if (typeof define === 'function' && define.amd)
    define([], factory);
  else if (typeof exports === 'object')
    exports['{name}'] = factory();
  else
    root['{name}'] = factory();
}})(this, function () {{
{body}
  return {name};
}});
""",
    "jQuery plug-in": """\
;(function ($, window, document, undefined) {{
  var pluginName = '{name}';
{body}
  $.fn[pluginName] = function (options) {{
    return this.each(function () {{
      if (!$.data(this, 'plugin_' + pluginName)) {{
        $.data(this, 'plugin_' + pluginName, new Plugin(this, options));
      }}
    }});
  }};
}})(jQuery, window, document);
""",
    "none": "{body}\n",
}

_FOURTH_HELPERS: Mapping[str, str] = {
    "assign": """\
var assign = Object.assign || function (target) {
  for (var index = 1; index < arguments.length; index++) {
    var from = arguments[index];
    for (var property in from) {
      if (Object.prototype.hasOwnProperty.call(from, property)) {
        target[property] = from[property];
      }
    }
  }
  return target;
};
""",
    "throttle": """\
function throttle(fn, delay) {
  var last = 0;
  return function () {
    var now = new Date().getTime();
    if (now - last < delay) {
      return;
    }
    last = now;
    return fn.apply(this, arguments);
  };
}
""",
    "clone": """\
function clone(obj) {
  if (null == obj || 'object' != typeof obj) return obj;
  var copy = obj.constructor();
  for (var attr in obj) {
    if (obj.hasOwnProperty(attr)) copy[attr] = clone(obj[attr]);
  }
  return copy;
}
""",
    "emit": """\
function emit(emitter, event) {
  var listeners = emitter.listeners[event] || [];
  var args = Array.prototype.slice.call(arguments, 2);
  for (var i = 0, len = listeners.length; i < len; i++) {
    listeners[i].apply(emitter, args);
  }
}
""",
}

_FIFTH_MODULES: Mapping[str, str] = {
    "named": """\
!function (name, context, definition) {{
  if (typeof module != 'undefined' && module.exports) module.exports = definition();
  else if (typeof define == 'function' && define.amd) define(name, definition);
  else context[name] = definition();
}}('{name}', this, function () {{
{body}
  return {name};
}});
""",
    "root": """\
(function () {{
  var root = typeof self == 'object' && self.self === self && self ||
    typeof global == 'object' && global.global === global && global || this;
  var {name} = function (obj) {{
    if (obj instanceof {name}) return obj;
    if (!(this instanceof {name})) return new {name}(obj);
    this._wrapped = obj;
  }};
{body}
  if (typeof exports != 'undefined' && !exports.nodeType) {{
    if (typeof module != 'undefined' && !module.nodeType && module.exports) {{
      exports = module.exports = {name};
    }}
    exports.{name} = {name};
  }} else {{
    root.{name} = {name};
  }}
}}());
""",
    "jQuery": """\
(function (factory) {{
  if (typeof define === 'function' && define.amd) {{
    define(['jquery'], factory);
  }} else if (typeof module === 'object' && module.exports) {{
    module.exports = factory(require('jquery'));
  }} else {{
    factory(window.jQuery);
  }}
}}(function ($) {{
{body}
  $.{name} = {name};
}}));
""",
    "none": "{body}\n",
}

_FIFTH_HELPERS: Mapping[str, str] = {
    "inherit": """\
function inherit(child, parent) {
  for (var name in parent) {
    if (Object.hasOwnProperty.call(parent, name)) child[name] = parent[name];
  }
  var Temporary = function () { this.constructor = child; };
  Temporary.prototype = parent.prototype;
  child.prototype = new Temporary();
  return child;
}
""",
    "debounce": """\
function debounce(func, wait, immediate) {
  var timeout;
  return function () {
    var context = this, args = arguments;
    var later = function () {
      timeout = null;
      if (!immediate) func.apply(context, args);
    };
    var callNow = immediate && !timeout;
    clearTimeout(timeout);
    timeout = setTimeout(later, wait);
    if (callNow) func.apply(context, args);
  };
}
""",
    "defaults": """\
function defaults(obj) {
  Array.prototype.slice.call(arguments, 1).forEach(function (source) {
    for (var prop in source) {
      if (obj[prop] === undefined && source.hasOwnProperty(prop)) obj[prop] = source[prop];
    }
  });
  return obj;
}
""",
    "partial": """\
function partial(fn) {
  var length = arguments.length, bound = new Array(length - 1);
  for (var i = 1; i < length; i++) bound[i - 1] = arguments[i];
  return function () {
    var all = bound.slice();
    for (var i = 0; i < arguments.length; i++) all.push(arguments[i]);
    return fn.apply(this, all);
  };
}
""",
}

_SIXTH_MODULES: Mapping[str, str] = {
    "returning": """\
(function (root, factory) {{
  'use strict';
  if (typeof define === 'function' && define.amd) {{
    // AMD
    define([], factory);
  }} else if (typeof module === 'object' && module.exports) {{
    // Node, CommonJS-like
    module.exports = factory();
  }} else {{
    // Browser globals (root is window)
    root.{name} = factory();
  }}
}}(typeof self !== 'undefined' ? self : this, function () {{
  'use strict';

{body}

  return {name};
}}));
""",
    "dependencies": """\
(function (root, factory) {{
  if (typeof define === 'function' && define.amd) {{
    define(['jquery', 'underscore'], factory);
  }} else if (typeof exports === 'object') {{
    module.exports = factory(require('jquery'), require('underscore'));
  }} else {{
    root.{name} = factory(root.jQuery, root._);
  }}
}})(this, function ($, _) {{

{body}

  return {name};
}});
""",
    "plugin": """\
;(function (factory) {{
  if (typeof define === 'function' && define.amd) {{
    define(['jquery'], factory);
  }} else if (typeof exports === 'object') {{
    factory(require('jquery'));
  }} else {{
    factory(jQuery);
  }}
}}(function ($) {{
  var defaults = {{
    speed: 300,
    onChange: null
  }};

{body}

  function Plugin(element, options) {{
    this.element = element;
    this.options = $.extend({{}}, defaults, options);
    this.init();
  }}

  $.fn.{name} = function (options) {{
    return this.each(function () {{
      if (!$.data(this, '{name}')) {{
        $.data(this, '{name}', new Plugin(this, options));
      }}
    }});
  }};
}}));
""",
    "amd": """\
define(function (require, exports, module) {{
  'use strict';

  var $ = require('jquery');
  var events = require('./events');
  var util = require('./util');

{body}

  module.exports = {name};
}});
""",
    "node": """\
'use strict';

var util = require('util');
var path = require('path');
var fs = require('fs');
var EventEmitter = require('events').EventEmitter;

module.exports = {name};

function {name}(options) {{
  if (!(this instanceof {name})) {{
    return new {name}(options);
  }}
  options = options || {{}};
  EventEmitter.call(this);
  this.options = options;
}}

util.inherits({name}, EventEmitter);

{body}
""",
    "namespace": """\
var {name} = {name} || {{}};

(function (ns, window, document, undefined) {{
  "use strict";

{body}

  ns.VERSION = "1.0.0";
  window.{name} = ns;
}})({name}, window, document);
""",
    "dollar": """\
(function ($, window, document, undefined) {{
  var old = $.fn.{name};

{body}

  $.fn.{name}.noConflict = function () {{
    $.fn.{name} = old;
    return this;
  }};

  $(document).ready(function () {{
    $('[data-{name}]').each(function () {{
      var $this = $(this);
      $this.{name}($this.data());
    }});
  }});
}})(jQuery, window, document);
""",
    "fallback": """\
(function () {{
  'use strict';

  var root = typeof window === 'object' && window.window === window ? window :
    typeof global === 'object' && global.global === global ? global : this;
  var previous = root.{name};

{body}

  {name}.noConflict = function () {{
    root.{name} = previous;
    return {name};
  }};

  if (typeof module !== 'undefined' && module.exports) {{
    module.exports = {name};
  }} else if (typeof define === 'function' && define.amd) {{
    define(function () {{ return {name}; }});
  }} else {{
    root.{name} = {name};
  }}
}}());
""",
    "transpiled": """\
"use strict";

Object.defineProperty(exports, "__esModule", {{
  value: true
}});
exports.default = void 0;

var _util = _interopRequireDefault(require("./util"));

function _interopRequireDefault(obj) {{ return obj && obj.__esModule ? obj : {{ default: obj }}; }}

function _classCallCheck(instance, Constructor) {{
  if (!(instance instanceof Constructor)) {{
    throw new TypeError("Cannot call a class as a function");
  }}
}}

{body}

var _default = {name};
exports.default = _default;
module.exports = exports.default;
""",
    "plain": """\
{body}
""",
}

_SIXTH_HELPERS: Mapping[str, str] = {
    "forOwn": """\
function forOwn(obj, fn, context) {
  var hasOwn = Object.prototype.hasOwnProperty;
  for (var key in obj) {
    if (hasOwn.call(obj, key)) {
      if (fn.call(context, obj[key], key, obj) === false) {
        break;
      }
    }
  }
  return obj;
}""",
    "rest": """\
function rest(fn) {
  return function () {
    var args = [];
    for (var i = 0, len = arguments.length; i < len; i++) {
      args.push(arguments[i]);
    }
    return fn.apply(this, args);
  };
}""",
    "deepExtend": """\
function deepExtend(out) {
  out = out || {};
  for (var i = 1; i < arguments.length; i++) {
    var obj = arguments[i];
    if (!obj) {
      continue;
    }
    for (var key in obj) {
      if (obj.hasOwnProperty(key)) {
        if (typeof obj[key] === 'object') {
          out[key] = deepExtend(out[key], obj[key]);
        } else {
          out[key] = obj[key];
        }
      }
    }
  }
  return out;
}""",
    "types": """\
var toString = Object.prototype.toString;

function noop() {}

var isArray = Array.isArray || function (value) {
  return toString.call(value) === '[object Array]';
};

function isFunction(value) {
  return typeof value === 'function';
}

function isObject(value) {
  return value !== null && typeof value === 'object';
}""",
    "delayed": """\
var delayed = (function () {
  var timer = null;
  return function (callback, ms) {
    if (timer) {
      clearTimeout(timer);
    }
    timer = setTimeout(function () {
      timer = null;
      callback();
    }, ms);
  };
})();""",
    "console": """\
if (!window.console) {
  window.console = {};
}
var methods = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'group', 'groupEnd'];
for (var m = 0; m < methods.length; m++) {
  if (!window.console[methods[m]]) {
    window.console[methods[m]] = function () {};
  }
}""",
    "subclass": """\
function subclass(Child, Parent) {
  function Surrogate() {
    this.constructor = Child;
  }
  Surrogate.prototype = Parent.prototype;
  Child.prototype = new Surrogate();
  Child.superclass = Parent.prototype;
  return Child;
}""",
    "events": """\
var events = {
  on: function (type, listener) {
    this._listeners = this._listeners || {};
    (this._listeners[type] = this._listeners[type] || []).push(listener);
    return this;
  },
  off: function (type, listener) {
    var list = this._listeners && this._listeners[type];
    if (!list) {
      return this;
    }
    if (!listener) {
      delete this._listeners[type];
      return this;
    }
    var index = list.indexOf(listener);
    if (index !== -1) {
      list.splice(index, 1);
    }
    return this;
  },
  trigger: function (type) {
    var list = this._listeners && this._listeners[type];
    var args = Array.prototype.slice.call(arguments, 1);
    if (list) {
      list.slice().forEach(function (listener) {
        listener.apply(this, args);
      }, this);
    }
    return this;
  }
};""",
    "frame": """\
window.requestAnimFrame = (function () {
  return window.requestAnimationFrame ||
    window.webkitRequestAnimationFrame ||
    window.mozRequestAnimationFrame ||
    window.oRequestAnimationFrame ||
    window.msRequestAnimationFrame ||
    function (callback) {
      window.setTimeout(callback, 1000 / 60);
    };
})();""",
    "trim": """\
if (!String.prototype.trim) {
  String.prototype.trim = function () {
    return this.replace(/^[\\s\\uFEFF\\xA0]+|[\\s\\uFEFF\\xA0]+$/g, '');
  };
}""",
    "listen": """\
function addEvent(el, type, handler) {
  if (el.addEventListener) {
    el.addEventListener(type, handler, false);
  } else if (el.attachEvent) {
    el.attachEvent('on' + type, handler);
  } else {
    el['on' + type] = handler;
  }
}

function removeEvent(el, type, handler) {
  if (el.removeEventListener) {
    el.removeEventListener(type, handler, false);
  } else if (el.detachEvent) {
    el.detachEvent('on' + type, handler);
  } else {
    el['on' + type] = null;
  }
}""",
    "classes": """\
function hasClass(el, name) {
  return (' ' + el.className + ' ').indexOf(' ' + name + ' ') > -1;
}

function addClass(el, name) {
  if (!hasClass(el, name)) {
    el.className += (el.className ? ' ' : '') + name;
  }
}""",
    "create": """\
if (typeof Object.create !== 'function') {
  Object.create = function (proto) {
    function F() {}
    F.prototype = proto;
    return new F();
  };
}""",
    "indexOf": """\
if (!Array.prototype.indexOf) {
  Array.prototype.indexOf = function (item, from) {
    var length = this.length;
    for (var i = from || 0; i < length; i++) {
      if (this[i] === item) {
        return i;
      }
    }
    return -1;
  };
}""",
    "escape": """\
function escapeHtml(str) {
  return String(str)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}""",
    "overloaded": """\
function load(url, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = {};
  }
  options = options || {};
  callback = callback || function () {};
  var xhr = new XMLHttpRequest();
  xhr.open(options.method || 'GET', url, true);
  xhr.onreadystatechange = function () {
    if (xhr.readyState === 4) {
      if (xhr.status >= 200 && xhr.status < 300) {
        callback(null, xhr.responseText);
      } else {
        callback(new Error(xhr.statusText));
      }
    }
  };
  xhr.send(options.data || null);
}""",
}

WORDINGS = {
    "first": (_MODULES, _HELPERS),
    "second": (_OTHER_MODULES, _OTHER_HELPERS),
    "third": (_THIRD_MODULES, _THIRD_HELPERS),
    "fourth": (_FOURTH_MODULES, _FOURTH_HELPERS),
    "fifth": (_FIFTH_MODULES, _FIFTH_HELPERS),
    "sixth": (_SIXTH_MODULES, _SIXTH_HELPERS),
}
"""The modules and helpers that are put around functions, by draw. Each draw has its own wording of the same idioms."""


def scripts(found: Sequence[Program], draw: str, number: int) -> Iterator[tuple[str, bytes]]:
    """`number` scripts with their names, made of functions of these programs in the wording of a draw.

    Each has one or two helpers. The modules are taken in turn; one of them is a plain script.
    """
    modules, helpers = WORDINGS[draw]
    chance = random.Random(f"{SEED} idioms")
    bodies = [text for program in found for text in _functions(program)]
    for at in range(number):
        own = chance.sample(bodies, chance.randint(*FUNCTIONS))
        named = chance.sample(list(helpers), chance.randint(1, 2))
        parts = [*own, *(helpers[name] for name in named)]
        chance.shuffle(parts)
        module = list(modules)[at % len(modules)]
        text = modules[module].format(name=f"library{at}", body="\n".join(parts))
        yield f"{at}: {', '.join([module, *named])}", text.encode()


def _functions(program: Program) -> Iterator[str]:
    """The first function of a program that has a fitting length, if there is one."""
    try:
        program.content.decode()
    except UnicodeDecodeError:
        return
    analysis = analyze_file(program.path, program.content)
    if isinstance(analysis, Analysis) and analysis.language == "javascript":
        yield from (each.source for each in functions("javascript", program.content, analysis, FUNCTION_LINES)[:1])
