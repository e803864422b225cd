import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const dist = join(import.meta.dirname, "dist");
/** Go's embed needs the folder even without a build, so this file is committed. */
const placeholder = ".placeholder";

/**
 * Empties dist before a build, except for the placeholder. Afterwards it compresses each asset with Brotli and gzip.
 */
function compressAssets(): Plugin {
  return {
    name: "compress-assets",
    apply: "build",
    buildStart() {
      for (const name of readdirSync(dist)) {
        if (name !== placeholder) {
          rmSync(join(dist, name), { recursive: true });
        }
      }
    },
    closeBundle() {
      for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
        if (name.startsWith("assets") && [".js", ".css", ".svg"].includes(extname(name))) {
          const path = join(dist, name);
          const plain = readFileSync(path);
          const params = { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
          writeFileSync(`${path}.br`, brotliCompressSync(plain, { params }));
          writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }));
        }
      }
    },
  };
}

const server = "http://localhost:8080";

export default defineConfig({
  plugins: [react(), compressAssets()],
  build: {
    outDir: dist,
    emptyOutDir: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    target: "es2023",
    // Few chunks: the server limits requests per IP address. Charts and forms are large and load on demand.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: "vendor",
              test: /node_modules\/(react|react-dom|scheduler|lucide-react|@tanstack|clsx)\//,
            },
            {
              name: "charts",
              test: /node_modules\/(recharts|d3-|victory|@reduxjs|redux|react-redux|reselect|immer|es-toolkit|decimal)/,
            },
            { name: "forms", test: /node_modules\/(zod|react-hook-form|@hookform)/ },
            {
              name: "base",
              test: /node_modules\/@mantine\/(hooks|store|notifications|core\/styles|core\/esm\/core|core\/esm\/components\/(Input|InputBase|InlineInput|TextInput|PasswordInput|Button|Paper|Stack|Group|Center|Text|Title|Alert|Anchor|Loader|Code|Transition|UnstyledButton|CloseButton|ActionIcon|Notification|Portal|Box)\/)/,
            },
            {
              name: "controls",
              test: /node_modules\/(@mantine|@floating-ui|react-remove-scroll|react-style-singleton|react-number-format)/,
            },
            {
              name: "shared",
              test: /src\/(gql|session|features\/login\/SignIn|shell\/(Pending|NotFound|RouteError)|components\/(ErrorPanel|FormError|format))/,
            },
            { name: "screens", test: /src\/(components\/(?!RecordForm)|shell)/ },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": server, "/auth": server, "/documents": server, "/graphql": server } },
});
