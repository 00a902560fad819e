/** `npm run flood -- [seconds] [sockets]`: what honest people notice of a flood, by default for ten minutes from 200 sockets. */
import { flood } from "./flood.ts"

const P99_MS_MAX = 200

const [seconds = "600", sockets = "200"] = process.argv.slice(2)
console.log(`${sockets} sockets flood the server for ${seconds} s.`)
const figures = await flood(Number(sockets), Number(seconds))
console.log(figures)
const good = figures.failures === 0 && figures.p99Ms < P99_MS_MAX
console.log(good ? "Honest people were served." : `Honest people failed, or p99 was ${P99_MS_MAX} ms or more.`)
process.exitCode = good ? 0 : 1
