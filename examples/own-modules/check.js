import { checkCipher } from "@keymoot/core/conformance"
import { aesCtrHmac } from "./cipher.js"

const broken = await checkCipher(aesCtrHmac)
for (const { rule, detail } of broken) console.error(`${aesCtrHmac.name} breaks "${rule}": ${detail}`)
if (broken.length > 0) process.exitCode = 1
else console.log(`${aesCtrHmac.name} breaks no rule`)
