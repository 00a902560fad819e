/** `npm run vectors`: writes the published vectors and records a conference. */
import { mkdirSync, writeFileSync } from "node:fs"
import { recordConference } from "./recorder.ts"
import { publishedVectors, VECTORS_FOLDER } from "./published.ts"

mkdirSync(new URL("recording/", VECTORS_FOLDER), { recursive: true })
for (const [name, text] of await publishedVectors()) writeFileSync(new URL(name, VECTORS_FOLDER), text)

const recording = await recordConference()
writeFileSync(new URL("recording/conference.json", VECTORS_FOLDER), `${JSON.stringify(recording, null, 1)}\n`)
