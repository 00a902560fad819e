/** People in the app whose browsers are on hosts of a lab of their own. The server is on another host. */
import { openChromium } from "../../wan/hosts.ts"
import { Lab, type Path } from "../../wan/lab.ts"
import type { People } from "../people.ts"
import type { Person } from "../person.ts"
import { ServerProcess } from "../server-process.ts"

const SERVER = "srv"
/** Bears a second line of somebody. */
const SPARE = "spare"

export class LabMeeting {
  readonly lab: Lab
  readonly origin: string
  readonly people: readonly Person[]
  readonly #server: ServerProcess

  private constructor(lab: Lab, server: ServerProcess, people: readonly Person[]) {
    this.lab = lab
    this.#server = server
    this.origin = server.origin
    this.people = people
  }

  /** @param isMobile the first one has a second network, as a phone has */
  static async start(people: People, names: readonly string[], path: Path, isMobile = false): Promise<LabMeeting> {
    const hosts = names.map(hostOf)
    const lab = await Lab.start({ hosts: [SERVER, SPARE, ...hosts], path: () => path })
    try {
      if (isMobile) lab.addNetwork(hosts[0]!, SPARE)
      const settings = { HOST: lab.address(SERVER), ADDRESS_SCALE: "100" }
      const server = await ServerProcess.start(settings, lab.on(SERVER))
      const present: Person[] = []
      for (const name of names)
        present.push(await people.arriveIn(await openChromium(lab, hostOf(name), server.origin), name))
      return new LabMeeting(lab, server, present)
    } catch (error) {
      await lab.close()
      throw error
    }
  }

  /** After the people went home. */
  async close(): Promise<void> {
    await this.#server.dispose()
    await this.lab.close()
  }
}

/** The host of a person. */
export function hostOf(name: string): string {
  return name.toLowerCase()
}
