/**
 * What a script finds in its sandbox, as JavaScript that runs there before it. The sandbox reaches the thread around it through one function
 * that takes texts; everything else is made within. A script can spoil what it sees here for itself alone. Nothing is counted here.
 */
export const PRELUDE = `(function (tell, setup) {
  'use strict';
  const { parse, stringify } = JSON;
  const { apply } = Reflect;
  const { then } = Promise.prototype;
  const [RealPromise, RealDate, RealError, text] = [Promise, Date, Error, String];
  const { names, now, seed } = parse(setup);
  const pending = { __proto__: null };
  let [count, isOver] = [0, false];

  class ToolError extends RealError {
    constructor(message, tool) {
      super(message);
      this.name = 'ToolError';
      this.tool = tool;
    }
  }

  const ask = (kind, name, value) =>
    new RealPromise((resolve, reject) => {
      const json = stringify(value === undefined ? {} : value);
      if (typeof json !== 'string') throw new TypeError('The arguments of ' + name + ' are no JSON.');
      const id = count++;
      pending[id] = { resolve, reject, name };
      tell(kind, text(id), name, json);
    });
  const settle = (id, ok, json) => {
    const { resolve, reject, name } = pending[id];
    delete pending[id];
    const value = parse(json);
    if (ok) resolve(value);
    else reject(new ToolError(value, name));
  };

  const shown = (value) => {
    if (typeof value === 'string') return value;
    try {
      if (value instanceof RealError) return value.name + ': ' + value.message;
      const json = stringify(value);
      return json === undefined ? text(value) : json;
    } catch (error) {
      return '[a value that cannot be shown]';
    }
  };
  const log = (...values) => {
    if (isOver) return;
    let line = '';
    for (let index = 0; index < values.length; index++) line += (index === 0 ? '' : ' ') + shown(values[index]);
    tell('log', '', '', line);
  };

  const end = (kind, tool, message) => {
    if (isOver) return;
    isOver = true;
    tell(kind, '', tool, message);
  };
  const succeed = (value) => {
    const json = stringify(value);
    if (json === undefined) end('nothing', '', '');
    else end('result', '', json);
  };
  const fail = (error) => {
    try {
      const isTool = error instanceof ToolError;
      const message = error instanceof RealError ? (isTool ? error.message : error.name + ': ' + error.message) : shown(error);
      end('error', isTool ? text(error.tool) : '', text(message));
    } catch (unreadable) {
      end('error', '', 'The script threw a value that cannot be read.');
    }
  };

  const tools = { __proto__: null };
  for (const name of names) tools[name] = (value) => ask('call', name, value);
  Object.freeze(tools);

  let state = seed >>> 0;
  Math.random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  function FixedDate(...parts) {
    if (new.target === undefined) return new RealDate(now).toString();
    return Reflect.construct(RealDate, parts.length === 0 ? [now] : parts, new.target);
  }
  FixedDate.prototype = RealDate.prototype;
  FixedDate.prototype.constructor = FixedDate;
  FixedDate.now = () => now;
  FixedDate.parse = RealDate.parse;
  FixedDate.UTC = RealDate.UTC;

  const search = (words, limit) => ask('search', 'search', { words, limit });
  const console = Object.freeze({ log, info: log, warn: log, error: log, debug: log });
  const named = { tools, search, console, ToolError, Date: FixedDate };
  for (const name of Object.keys(named))
    Object.defineProperty(globalThis, name, { value: named[name], writable: false, configurable: false, enumerable: false });

  const begin = (script) => {
    try {
      apply(then, apply(then, script(), [succeed]), [undefined, fail]);
    } catch (error) {
      fail(error);
    }
  };

  return { settle, begin };
})`;
