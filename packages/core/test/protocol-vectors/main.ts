/** `npm run vectors`: writes the published vectors. `npm run vectors -- --record` also records conferences anew. */
import { mkdirSync, writeFileSync } from "node:fs"
import { RECORDINGS, recordConference } from "./recorder.ts"
import { publishedVectors, VECTORS_FOLDER } from "./published.ts"

for (const [name, text] of await publishedVectors()) writeFileSync(new URL(name, VECTORS_FOLDER), text)
if (process.argv.includes("--record")) {
  mkdirSync(new URL("recording/", VECTORS_FOLDER), { recursive: true })
  for (const [name, keys] of Object.entries(RECORDINGS)) {
    const recording = await recordConference(...keys)
    writeFileSync(new URL(`recording/${name}.json`, VECTORS_FOLDER), `${JSON.stringify(recording, null, 1)}\n`)
  }
}
