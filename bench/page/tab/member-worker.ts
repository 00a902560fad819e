/** One member's engine: the real one, but that it keeps nothing. */
import { serveForgetfulEngine } from "@keymoot/core/testing"

serveForgetfulEngine()
