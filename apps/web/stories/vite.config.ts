import react from "@vitejs/plugin-react"
import { defaultClientConditions, defineConfig } from "vite"
import { excalidrawOffline } from "../build/excalidrawOffline.ts"

/** The screens of the app in every state, without a conference behind them: see `main.tsx`. Never part of the product. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), excalidrawOffline()],
  resolve: { conditions: ["keymoot-source", ...defaultClientConditions], dedupe: ["react", "react-dom", "yjs"] },
  // `?lang=ar` shows them from right to left.
  define: { "import.meta.env.DEV": "true" },
  worker: { format: "es" },
  build: { target: "es2023", minify: false, emptyOutDir: true, chunkSizeWarningLimit: 5000 },
  logLevel: "warn",
})
