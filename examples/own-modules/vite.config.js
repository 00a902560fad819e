import { defineConfig } from "vite"

// The engine loads rare parts when they are needed, which a worker can do as a module only.
export default defineConfig({ worker: { format: "es" } })
