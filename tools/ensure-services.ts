/**
 * Sees to it that the programs that tests talk to are there, and says which tests will be skipped without them. Unlike the
 * browsers they are no condition of `npm test`: the server runs without any of them.
 */
import { existsSync } from "node:fs"
import { installWithApt } from "./services/apt.ts"
import { findService, PACKAGES, type Service } from "./services/services.ts"

const SERVICES = Object.keys(PACKAGES) as Service[]

const missing = () => SERVICES.filter((service) => findService(service) === null)

if (missing().length > 0 && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
  installWithApt(missing().map((service) => PACKAGES[service]))
}
for (const service of SERVICES) {
  const path = findService(service)
  console.log(path === null ? `No ${service}: its tests will be skipped.` : `Testing with ${path}.`)
}
