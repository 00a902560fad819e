/** npm run bench:page: the built app on a port of its own, with nothing kept, for the benchmark's page. */
import { join } from "node:path"
import { startServer } from "@keymoot/signaling"

const { url } = await startServer({ webDir: join(import.meta.dirname, "../../apps/web/dist") })
console.log(`The benchmark is at ${url}/bench`)
