/** Chains: any change of any record is found, in files of any number. */
import { createHmac } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyChain, type VerifiedChain, type VerifyOptions } from '@sigil-mcp/audit/verify';
import * as fc from 'fast-check';
import { AuditKeys, canonicalJson, KeyedDigest } from '../src/chain/audit-keys';
import { writeMark } from '../src/chain/chain';
import { Chain, keys, removeFolders, SECRET, sealed, temporaryFolder } from './open-sink';
import { runs } from '../../../test/support/matrix';

afterAll(removeFolders);

const folder = temporaryFolder();
let count = 0;

/** Writes files, and the mark of the last line of `marked`. */
function written(files: readonly (readonly string[])[], marked: readonly string[] | undefined): string[] {
  const paths = files.map((lines) => {
    const path = join(folder, `${(count += 1)}.log`);
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
    return path;
  });
  const { hash = '' } = JSON.parse(marked?.at(-1) ?? '{}') as { hash?: string };
  if (marked) writeFileSync(`${paths.at(-1)}.head`, writeMark(hash, '2026-01-01T00:00:00.000Z', keys));
  return paths;
}

const verify = (files: readonly string[], options: Partial<VerifyOptions> = {}): Promise<VerifiedChain> =>
  verifyChain(files, { secrets: [SECRET], ...options });

const faultsOf = async (files: readonly (readonly string[])[], marked?: readonly string[]): Promise<string[]> => {
  const { faults } = await verify(written(files, marked), marked ? {} : { mark: false });
  return faults.map(({ fault, line }) => `${fault} ${line}`);
};

it('finds a whole chain sound, also over several files', async () => {
  const lines = sealed(new Chain(keys), 9);
  const found = await verify(written([lines.slice(0, 4), lines.slice(4)], lines));
  expect(found).toEqual({ records: 9, first: 1, last: 9, faults: [], faultCount: 0, torn: undefined });
});

it('finds every change, removal, swap and insertion, and says the line', async () => {
  const lines = sealed(new Chain(keys), 6);
  const [a = '', b = '', c = '', d = '', e = '', f = ''] = lines;
  expect(await faultsOf([[a, b.replace('"ms":1', '"ms":7'), c, d, e, f]], lines)).toEqual(['changed 2']);
  expect(await faultsOf([[a, b, d, e, f]], lines)).toEqual(['missing 3']);
  expect(await faultsOf([[a, c, b, d, e, f]], lines)).toEqual(['missing 2', 'moved 3']);
  expect(await faultsOf([[a, b, b, c, d, e, f]], lines)).toEqual(['moved 3']);
  expect(await faultsOf([[a, b, c, d]], lines)).toEqual(['cut 4']);
  expect(await faultsOf([[a, b, '{"kind":"request"}', c, d, e, f]], lines)).toEqual(['no-record 3']);
  expect(await faultsOf([[a, b, '', c, d, e, f]], lines)).toEqual(['no-record 3']);
  expect(
    await faultsOf(
      [
        [a, b],
        [e, f],
      ],
      lines,
    ),
  ).toEqual(['missing 1']);
  expect(
    await faultsOf([
      [d, e, f],
      [a, b, c],
    ]),
  ).toEqual(['new-chain 1']);
  const other = sealed(new Chain(keys), 2);
  expect(await faultsOf([[a, b, c, d, e, f, ...other]])).toEqual(['new-chain 7']);
});

it('cannot be made by anybody without the secret', async () => {
  const forged = sealed(new Chain({ ofRecord: () => 'A'.repeat(43) }), 3);
  expect(await faultsOf([forged])).toEqual(['changed 1', 'changed 2', 'changed 3']);
  const lines = sealed(new Chain(keys), 3);
  const { faults } = await verifyChain(written([lines], lines), { secrets: ['other'.repeat(8)] });
  expect(faults.length).toBeGreaterThan(0);
});

it('needs the mark beside a file that was not rotated', async () => {
  const lines = sealed(new Chain(keys), 3);
  const [path = ''] = written([lines], undefined);
  expect((await verify([path])).faults).toMatchObject([{ fault: 'no-mark' }]);
  writeFileSync(`${path}.head`, `{"version":1,"time":"now","hash":"${'A'.repeat(43)}","proof":"none"}`);
  expect((await verify([path])).faults).toMatchObject([{ fault: 'no-mark' }]);
  expect((await verify([path], { mark: false })).faults).toEqual([]);
  const rotated = join(folder, 'audit.log.000001');
  writeFileSync(rotated, `${lines.join('\n')}\n`);
  expect((await verify([rotated])).faults).toEqual([]);
});

it('says that a last line is torn, and where a chain begins', async () => {
  const lines = sealed(new Chain(keys), 5);
  const [path = ''] = written([lines.slice(2, 4)], lines.slice(2, 4));
  appendFileSync(path, lines[4]?.slice(0, 80) ?? '');
  expect(await verify([path])).toMatchObject({ records: 2, first: 3, faults: [], torn: { file: path, line: 3 } });
  appendFileSync(path, lines[4]?.slice(80) ?? '');
  expect(await verify([path])).toMatchObject({ records: 3, faults: [], torn: undefined });
});

it('follows a chain whose secret was changed', async () => {
  const start = (id: string): string =>
    `{"version":1,"kind":"started","id":"r.1","time":"2026-01-01T00:00:00.000Z","sink":"file","key":"${id}"`;
  const second = new AuditKeys('z'.repeat(32));
  const [one, other] = [new Chain(keys), new Chain(second)];
  const first = [one.seal(start(keys.id)), ...sealed(one, 2)];
  const { hash, sequence } = JSON.parse(first.at(-1) ?? '') as { hash: string; sequence: number };
  other.continueAfter({ hash, sequence });
  const [path = ''] = written([[...first, other.seal(start(second.id)), ...sealed(other, 2)]], undefined);
  const secrets = [SECRET, 'z'.repeat(32)];
  expect(await verifyChain([path], { secrets, mark: false })).toMatchObject({ faults: [], records: 6 });
  const { faults } = await verifyChain([path], { secrets: [SECRET], mark: false });
  expect(faults[0]).toMatchObject({ fault: 'other-secret', line: 4 });
});

/** What may be done to the lines of a chain. */
const damage = (length: number): fc.Arbitrary<(lines: readonly string[]) => string[]> => {
  const index = fc.nat({ max: length - 1 });
  return fc.oneof(
    index.map((at) => (lines: readonly string[]) => lines.filter((_, one) => one !== at)),
    fc
      .tuple(index, index)
      .filter(([one, other]) => one !== other)
      .map(([one, other]) => (lines: readonly string[]) => {
        const copy = [...lines];
        [copy[one], copy[other]] = [lines[other] ?? '', lines[one] ?? ''];
        return copy;
      }),
    fc
      .tuple(index, index)
      .map(([from, to]) => (lines: readonly string[]) => [
        ...lines.slice(0, to),
        lines[from] ?? '',
        ...lines.slice(to),
      ]),
    fc.tuple(index, fc.nat(), fc.integer({ min: 1, max: 127 })).map(
      ([at, place, change]) =>
        (lines: readonly string[]) =>
          lines.map((line, one) => {
            if (one !== at) return line;
            const position = place % line.length;
            const changed = String.fromCharCode(line.charCodeAt(position) ^ change);
            return `${line.slice(0, position)}${changed}${line.slice(position + 1)}`;
          }),
    ),
  );
};

it('finds any single change, removal, swap and repetition', async () => {
  const lines = sealed(new Chain(keys), 8);
  await fc.assert(
    fc.asyncProperty(damage(8), fc.nat({ max: 8 }), async (harm, split) => {
      const harmed = harm(lines);
      const { faultCount, torn } = await verify(written([harmed.slice(0, split), harmed.slice(split)], lines), {
        whole: true,
      });
      expect(faultCount > 0 || torn !== undefined).toBe(true);
    }),
    { numRuns: runs(300) },
  );
});

it('computes HMAC-SHA-256 as Node does', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 64 }),
      fc.string({ unit: 'binary', maxLength: 300 }),
      (key, text) => {
        const expected = createHmac('sha256', key).update(text).digest('base64url');
        expect(new KeyedDigest(key).of(text)).toBe(expected);
        expect(new KeyedDigest(key).of(Buffer.from(text))).toBe(expected);
      },
    ),
  );
});

const json = fc.jsonValue();

/** The same JSON, with its members in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).reverse();
  return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]));
}

it('computes the same digest whatever the order of members, and another for any other value', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(keys.ofArguments(reversed(value))).toBe(keys.ofArguments(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  fc.assert(
    fc.property(json, json, (one, other) => {
      const isSame = canonicalJson(one) === canonicalJson(other);
      expect(keys.ofArguments(one) === keys.ofArguments(other)).toBe(isSame);
      expect(JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))).toBe(isSame);
    }),
  );
});

/** JSON with sorted members, by another way. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.keys(value)
    .sort()
    .map((name) => [name, sorted((value as Record<string, unknown>)[name])])
    .concat([['object', true]]);
}

it('writes canonical JSON as RFC 8785 does', () => {
  const sample = {
    numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 1e-27, -0],
    '\u20ac': 1,
    '\r': 2,
    '\ufb33': 3,
    '1': 4,
    '\u0080': 5,
  };
  expect(canonicalJson(sample)).toBe(
    '{"\\r":2,"1":4,"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0],"\u0080":5,"\u20ac":1,"\ufb33":3}',
  );
});

it('reads a large file without holding it, and stops at no line that is too long', async () => {
  const chain = new Chain(keys);
  const path = join(folder, 'large.log');
  writeFileSync(path, '');
  for (let part = 0; part < 20; part += 1) appendFileSync(path, `${sealed(chain, 1000).join('\n')}\n`);
  expect(await verify([path], { mark: false })).toMatchObject({ records: 20_000, faults: [] });
  appendFileSync(path, `${'x'.repeat(3 * 1024 * 1024)}\n${sealed(chain, 1)[0]}\n`);
  expect(await verify([path], { mark: false })).toMatchObject({
    records: 20_001,
    faults: [{ fault: 'no-record', line: 20_001 }],
  });
  expect(readFileSync(path).length).toBeGreaterThan(3 * 1024 * 1024);
  rmSync(path);
});
