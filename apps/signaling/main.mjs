// The server, for those who start it without npm: node --conditions=keymoot-source apps/signaling/main.mjs
import "./supported-node.mjs"

await import("./src/main.ts")
