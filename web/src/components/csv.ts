/**
 * A spreadsheet takes a cell that begins so for a formula, which may be one that somebody planted; some know the wide forms of the
 * signs. So may what follows a semicolon, a tab or a line break in a cell: where one of these parts the columns, a cell begins there.
 */
const formula = /(^|[;\t\r\n])(\s*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
/** What is a plain number stays one, negative ones too. */
const number = /^-?\d+(\.\d+)?$/;

function cell(value: string | number | null | undefined): string {
  let text = value == null ? "" : String(value);
  if (!number.test(text)) {
    text = text.replace(formula, "$1$2'").replace(/^(?=[\t\r\n])/, "'");
  }
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** csvOf is a table as comma separated values (RFC 4180), with the mark by which spreadsheets know UTF-8. */
export function csvOf(rows: (string | number | null | undefined)[][]): string {
  return `\uFEFF${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** save hands a file to the browser's downloads. */
export function save(name: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
