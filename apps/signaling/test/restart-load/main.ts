/** `npm run restart-load -- [clients]`: the server restarts under so many clients, by default 200. */
import { restartUnder } from "./restart-load.ts"

const LAST_MS_MAX = 15_000

const [clients = "200"] = process.argv.slice(2)
const figures = await restartUnder(Number(clients))
console.log(figures)
const good = figures.lastMs <= LAST_MS_MAX
console.log(good ? "All came back in time." : `The last one came after ${LAST_MS_MAX} ms.`)
process.exitCode = good ? 0 : 1
