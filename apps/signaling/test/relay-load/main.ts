/** `npm run relay-load -- [rooms] [joins a second]`: joins of rooms of four over the relay, by default 500 rooms at 20 a second. */
import { relayLoad } from "./relay-load.ts"

const P99_MS_MAX = 500

const [rooms = "500", joinsPerSecond = "20"] = process.argv.slice(2)
console.log(`${rooms} rooms of four fill over the relay, ${joinsPerSecond} joins a second.`)
const figures = await relayLoad(Number(rooms), Number(joinsPerSecond))
console.log(figures)
const good = Object.keys(figures.failures).length === 0 && figures.p99Ms < P99_MS_MAX
console.log(good ? "The relay holds." : `Joins failed, or p99 was ${P99_MS_MAX} ms or more.`)
process.exitCode = good ? 0 : 1
