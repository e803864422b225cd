// Checks the cells of CSV exports: what a spreadsheet could take for a formula is made harmless, all else stays as it is.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { transformWithOxc } from "vite";

const source = readFileSync(new URL("../src/components/csv.ts", import.meta.url), "utf8");
const { code } = await transformWithOxc(source, "csv.ts");
const { csvOf } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

/** What the one cell of a table is in the file. */
const cell = (value) => csvOf([[value]]).slice(1, -2);

for (const sign of ["=", "+", "-", "@", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"]) {
  assert.equal(cell(`${sign}1+1`), `'${sign}1+1`);
  assert.equal(cell(` ${sign}1+1`), ` '${sign}1+1`);
  assert.equal(cell(`a;${sign}1+1`), `"a;'${sign}1+1"`);
  assert.equal(cell(`a; ${sign}1+1`), `"a; '${sign}1+1"`);
  assert.equal(cell(`a\t${sign}1+1`), `"a\t'${sign}1+1"`);
  assert.equal(cell(`a\r${sign}1+1`), `"a\r'${sign}1+1"`);
  assert.equal(cell(`a\r\n${sign}1;;${sign}2`), `"a\r\n'${sign}1;;'${sign}2"`);
  assert.equal(cell(`\t${sign}1+1`), `"'\t'${sign}1+1"`);
  assert.equal(cell(`a${sign}b`), `a${sign}b`);
}
for (const blank of ["\t", "\r", "\n"]) {
  assert.equal(cell(`${blank}x`), `"'${blank}x"`);
}
assert.equal(cell('=HYPERLINK("https://evil.test")'), `"'=HYPERLINK(""https://evil.test"")"`);
for (const plain of ["-12.50", "12.50", "-1", "Harbor Bakery", "a - b", "owner@example.com"]) {
  assert.equal(cell(plain), plain);
}
for (const [value, text] of [
  [-5, "-5"],
  [null, ""],
  [undefined, ""],
  ["a,b", '"a,b"'],
  ['a"b', '"a""b"'],
  ["a;b", '"a;b"'],
]) {
  assert.equal(cell(value), text);
}
