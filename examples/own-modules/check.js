import { checkCipher, checkKeyAgreement } from "@keymoot/core/conformance"
import { aesCtrHmac } from "./cipher.js"
import { freshStar } from "./key-agreement.js"

for (const [name, broken] of [
  [aesCtrHmac.name, await checkCipher(aesCtrHmac)],
  [freshStar.name, await checkKeyAgreement(freshStar)],
]) {
  for (const { rule, detail } of broken) console.error(`${name} breaks "${rule}": ${detail}`)
  if (broken.length > 0) process.exitCode = 1
  else console.log(`${name} breaks no rule`)
}
