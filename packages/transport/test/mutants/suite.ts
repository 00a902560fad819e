/** The schedules of npm test, in a process of their own: prints the first violation. Runs in the copy of a mutant. */
import { firstViolation } from "../simulation/schedules.ts"

const [from, count] = process.argv.slice(2).map(Number)
console.log(firstViolation(from!, count!) ?? "survives")
