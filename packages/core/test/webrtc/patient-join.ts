import { Conference, type Identity, KeymootError } from "../../src/index.ts"

/**
 * Joins, again if the server's answer takes too long. Many members in one process keep it busy for longer than the
 * timeout of a request.
 */
export async function joinPatiently(url: string, identity: Identity): Promise<Conference> {
  for (;;) {
    try {
      return await Conference.join({ url, identity })
    } catch (error) {
      if (!(error instanceof KeymootError) || error.code !== "server-unreachable") throw error
    }
  }
}
