// `npm start`, which may be run by any Node; tools/start.ts does the work.
import "../apps/signaling/supported-node.mjs"

await import("./start.ts")
