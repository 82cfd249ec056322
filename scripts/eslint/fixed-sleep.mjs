/**
 * No test sleeps: it waits for a state, or for something that is ordered after what must not happen, or it moves a `ManualClock`.
 * Asking again and again in a loop is waiting for a state; a wait that a signal ends is the work of a tool. What is left is a
 * test of real time, and says so: `// eslint-disable-next-line house/fixed-sleep -- why`.
 */
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const LOOPS = new Set(['WhileStatement', 'DoWhileStatement', 'ForStatement']);
const TIMERS = new Set(['timers/promises', 'node:timers/promises']);

/** Whether a loop asks again after this wait. */
function isPolling(node) {
  for (let inner = node, outer = node.parent; outer && !FUNCTIONS.has(outer.type); inner = outer, outer = outer.parent)
    if (LOOPS.has(outer.type) && (outer.body === inner || outer.update === inner)) return true;
  return false;
}

/** The function around a node that is the executor of a promise, when the node calls what resolves it. */
function resolvesPromise(call) {
  const [callback] = call.arguments;
  for (let around = call.parent; around; around = around.parent) {
    if (!FUNCTIONS.has(around.type)) continue;
    const promise = around.parent;
    if (promise.type !== 'NewExpression' || promise.callee.name !== 'Promise') return undefined;
    const resolve = around.params[0]?.name;
    return callback?.type === 'Identifier' && callback.name === resolve ? promise : undefined;
  }
  return undefined;
}

export const fixedSleep = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      sleeps: 'A test waits for a state, not for a time: wait until it holds, or move a ManualClock.',
    },
  },
  create(context) {
    const sleepers = new Set();
    const modules = new Set();
    const schedulers = new Set();
    const report = (node) => isPolling(node) || context.report({ node, messageId: 'sleeps' });
    /** Whether a call waits for a time with `node:timers/promises`, under any name. */
    const sleeps = ({ type, name, object, property }) =>
      type === 'MemberExpression'
        ? (modules.has(object.name) && property.name === 'setTimeout') ||
          (schedulers.has(object.name) && property.name === 'wait') ||
          (modules.has(object.object?.name) && object.property.name === 'scheduler' && property.name === 'wait')
        : sleepers.has(name);
    return {
      ImportDeclaration(node) {
        if (!TIMERS.has(node.source.value)) return;
        for (const { imported, local } of node.specifiers) {
          if (!imported || imported.name === 'default') modules.add(local.name);
          if (imported?.name === 'setTimeout') sleepers.add(local.name);
          if (imported?.name === 'scheduler') schedulers.add(local.name);
        }
      },
      VariableDeclarator({ id, init }) {
        if (
          init?.type === 'CallExpression' &&
          init.callee.name === 'promisify' &&
          init.arguments[0]?.name === 'setTimeout'
        )
          sleepers.add(id.name);
      },
      CallExpression(node) {
        const { callee } = node;
        const isMethod = callee.type === 'MemberExpression' && callee.property.name === 'wait';
        if (sleeps(callee)) return void (node.arguments.length < (isMethod ? 2 : 3) && report(node));
        if (callee.name !== 'setTimeout') return;
        const promise = resolvesPromise(node);
        if (promise) report(promise);
      },
    };
  },
};
