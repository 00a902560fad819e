/**
 * First module of the page, loaded apart from all others. At a conference's address it starts the engine, whose files
 * then load and run beside the page's own. Otherwise a newcomer on a slow line waits for the page first, and then for
 * the engine.
 */
import { firstArrival } from "./arrival.ts"
import "./trustedTypes.ts"
import { startEngineEarly } from "@keymoot/core/early"

const needsEngine = firstArrival?.kind === "invitation" || firstArrival?.kind === "conference"
if (needsEngine && isSecureContext && window.parent === window) startEngineEarly()
