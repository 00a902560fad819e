/** One member's engine: the real one, but that it keeps nothing, and that its name may say how many members make a full mesh. */
import { serveForgetfulEngine } from "@keymoot/core/testing"

const meshMax = Number(self.name)
serveForgetfulEngine(meshMax > 0 ? { meshMax } : {})
