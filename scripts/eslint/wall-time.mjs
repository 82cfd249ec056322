/**
 * No test compares a time that has passed with a number: how long something takes depends on what else the machine does. It counts work
 * or CPU time, moves a `ManualClock`, or asserts that what it waits for has come. What is left says why:
 * `// eslint-disable-next-line house/wall-time -- why`.
 */
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'Program']);
const COMPARISONS = new Set(['<', '<=', '>', '>=']);
const MATCHERS = /^toBe(LessThan|GreaterThan)(OrEqual)?$|^toBeCloseTo$/;
const CLOCKS = { performance: ['now'], Date: ['now'], process: ['hrtime'], hrtime: ['bigint'] };
const SKIPPED = new Set(['parent', 'loc', 'range', 'tokens', 'comments']);

/** The nodes below a node, without those of the functions in it. */
function* within(node) {
  yield node;
  for (const [key, value] of Object.entries(node)) {
    if (SKIPPED.has(key)) continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child?.type === 'string' && !FUNCTIONS.has(child.type)) yield* within(child);
  }
}

/** Whether a call reads the clock of the machine: `performance.now()`, `process.hrtime.bigint()`. */
function readsClock({ type, callee }) {
  if (type !== 'CallExpression' || callee.type !== 'MemberExpression') return false;
  const owner = callee.object.name ?? callee.object.property?.name;
  return CLOCKS[owner]?.includes(callee.property.name) ?? false;
}

/** The variable that a name stands for. */
function variableOf(scope, name) {
  for (let around = scope; around; around = around.upper) if (around.set.has(name)) return around.set.get(name);
  return undefined;
}

export const wallTime = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      compares: 'A busy machine takes longer: count work or CPU time, move a ManualClock, or wait for an event.',
    },
  },
  create(context) {
    /** Whether a value is or comes from a time of the machine, also through variables. */
    const isTime = (value, seen = new Set()) =>
      [...within(value)].some((node) => {
        if (readsClock(node)) return true;
        if (node.type !== 'Identifier') return false;
        const variable = variableOf(context.sourceCode.getScope(node), node.name);
        if (!variable || seen.has(variable)) return false;
        seen.add(variable);
        return variable.references.some(
          ({ writeExpr }) => writeExpr && !FUNCTIONS.has(writeExpr.type) && isTime(writeExpr, seen),
        );
      });
    return {
      BinaryExpression(node) {
        const times = [node.left, node.right].filter((side) => isTime(side)).length;
        // What passed between two times is measured to be compared.
        if (
          times === 2
            ? node.operator === '-' || COMPARISONS.has(node.operator)
            : times && COMPARISONS.has(node.operator)
        )
          context.report({ node, messageId: 'compares' });
      },
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== 'MemberExpression' || !MATCHERS.test(callee.property.name)) return;
        const expected = callee.object.type === 'MemberExpression' ? callee.object.object : callee.object;
        if (expected.type !== 'CallExpression') return;
        if ([...expected.arguments, ...node.arguments].some((value) => isTime(value)))
          context.report({ node, messageId: 'compares' });
      },
    };
  },
};
