import { type CSSVariablesResolver, createTheme, mergeThemeOverrides } from "@mantine/core";

/** The brand colors. From index 6 on they are dark enough for white text. */
const brand = [
  "#e3fafc",
  "#c5f6fa",
  "#99e9f2",
  "#66d9e8",
  "#3bc9db",
  "#15aabf",
  "#0c8599",
  "#0b7285",
  "#0a6577",
  "#085565",
] as const;

export const theme = createTheme({
  colors: { brand },
  primaryColor: "brand",
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: "sm",
  cursorType: "pointer",
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
  // Dense screens: structure comes from weight and space, not from large type.
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  spacing: { xs: "0.5rem", sm: "0.625rem", md: "0.875rem", lg: "1.25rem", xl: "1.75rem" },
  headings: {
    fontWeight: "650",
    sizes: { h1: { fontSize: "1.25rem" }, h2: { fontSize: "1rem" }, h3: { fontSize: "0.875rem" } },
  },
  components: {
    Button: { defaultProps: { fw: 550 } },
    Table: { defaultProps: { verticalSpacing: 6 } },
    // A dialog's header must not become the page's banner landmark. Set by name, so that the first screen does not load
    // Modal.
    Modal: { defaultProps: { attributes: { header: { role: "presentation" } } } },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
  },
});

/** Replaces the theme while the sign-in dialog is open: Escape must not close the dialog beneath it. */
export const signInTheme = mergeThemeOverrides(theme, {
  components: { Modal: { defaultProps: { closeOnEscape: false } } },
});

/** Mantine's dimmed colors are too faint. These have a contrast of at least 4.5:1 (WCAG AA). */
export const accessibleColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#52595f",
    "--mantine-color-placeholder": "#6a7178",
    "--mantine-color-error": "#c92a2a",
  },
  dark: {
    "--mantine-color-dimmed": "#a6a7ab",
    "--mantine-color-placeholder": "#9a9ba0",
    "--mantine-color-error": "#ff8787",
  },
});
