/**
 * `node many-runs.ts MODULE MEMBERS FAULTS EVENTS SEED`: one run after another, each from the next seed, until members
 * have had so many events. Prints one line. Ends with 1 at the first violation, with the command that shows it.
 */
import { randomScenario } from "@keymoot/transport/testing"
import { toyCryptography } from "./cryptography.ts"
import { MODULES } from "./options.ts"
import { MS_PER_FAULT, signedBy, withKeyAgreement } from "./run.ts"
import { playAndJudge } from "./shrink.ts"

const [name = "none", ...numbers] = process.argv.slice(2)
const module = MODULES.find((known) => known === name)
if (!module && name !== "none") throw new Error(`There is no module ${name}: choose none or ${MODULES.join(", ")}.`)
const [members, faults, wanted, first] = numbers.map(Number) as [number, number, number, number]
if (numbers.length !== 4 || !numbers.every((text) => Number(text) > 0)) {
  throw new Error("Give a module, and the numbers of members, faults and events, and the first seed.")
}
const cryptography = toyCryptography()
let [events, seed] = [0, first]
for (; events < wanted; seed++) {
  const cast = module ? withKeyAgreement(module, cryptography, seed) : signedBy(cryptography)
  const { trace, violations } = await playAndJudge(randomScenario(seed, members, faults, MS_PER_FAULT), cast)
  if (violations.length > 0) {
    console.log(`npm run sim -- --members ${members} --events ${faults} --module ${name} --seed ${seed}`)
    console.log(violations.map(({ property, detail }) => `${property}: ${detail}`).join("\n"))
    process.exit(1)
  }
  events += trace.length
}
console.log(`${name}: ${events} events in ${seed - first} runs from seed ${first}: all properties hold`)
