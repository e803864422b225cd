import { expect, test } from "@playwright/test";
import { toCsv } from "../src/components/csv";

// Spreadsheets run a cell that begins with one of these signs as a formula.

/** Formats a single cell as CSV. */
const cell = (value: string | number | null | undefined) => toCsv([[value]]).slice(1, -2);

for (const sign of ["=", "+", "-", "@", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"]) {
  test(`a cell that begins with ${sign} is not a formula`, () => {
    expect(cell(`${sign}1+1`)).toBe(`'${sign}1+1`);
    expect(cell(` ${sign}1+1`)).toBe(` '${sign}1+1`);
    expect(cell(`a;${sign}1+1`)).toBe(`"a;'${sign}1+1"`);
    expect(cell(`a; ${sign}1+1`)).toBe(`"a; '${sign}1+1"`);
    expect(cell(`a\t${sign}1+1`)).toBe(`"a\t'${sign}1+1"`);
    expect(cell(`a\r${sign}1+1`)).toBe(`"a\r'${sign}1+1"`);
    expect(cell(`a\r\n${sign}1;;${sign}2`)).toBe(`"a\r\n'${sign}1;;'${sign}2"`);
    expect(cell(`\t${sign}1+1`)).toBe(`"'\t'${sign}1+1"`);
    expect(cell(`a${sign}b`)).toBe(`a${sign}b`);
  });
}

test("leading control characters are escaped", () => {
  for (const blank of ["\t", "\r", "\n"]) {
    expect(cell(`${blank}x`)).toBe(`"'${blank}x"`);
  }
  expect(cell('=HYPERLINK("https://evil.test")')).toBe(`"'=HYPERLINK(""https://evil.test"")"`);
});

test("other values are unchanged, quoted where needed", () => {
  for (const plain of ["-12.50", "12.50", "-1", "Harbor Bakery", "a - b", "owner@example.com"]) {
    expect(cell(plain)).toBe(plain);
  }
  for (const [value, text] of [
    [-5, "-5"],
    [null, ""],
    [undefined, ""],
    ["a,b", '"a,b"'],
    ['a"b', '"a""b"'],
    ["a;b", '"a;b"'],
  ] as const) {
    expect(cell(value)).toBe(text);
  }
});
