/**
 * Spreadsheets run a cell that begins with one of these signs as a formula, which an attacker may have planted. Some
 * accept the full-width forms too. The same applies after a semicolon, a tab or a line break, where another locale may
 * start a new cell.
 */
const formula = /(^|[;\t\r\n])(\s*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
/** Plain numbers need no escaping, negative ones included. */
const number = /^-?\d+(\.\d+)?$/;

function cell(value: string | number | null | undefined): string {
  let text = value == null ? "" : String(value);
  if (!number.test(text)) {
    text = text.replace(formula, "$1$2'").replace(/^(?=[\t\r\n])/, "'");
  }
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Formats a table as CSV (RFC 4180), with a byte order mark so that spreadsheets recognize UTF-8. */
export function toCsv(rows: (string | number | null | undefined)[][]): string {
  return `\uFEFF${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** Downloads a file in the browser. */
export function downloadFile(name: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
