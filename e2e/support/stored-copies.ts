import { expect } from "@playwright/test"
import type { Person } from "./person.ts"

const LOOK_EVERY_MS = 250
/** A busy machine may have no time for a page's writes between two looks. */
const LOOKS_ALIKE = 5
/** Larger than the stored copy of a conference without any activity. */
const SOMETHING_BYTES = 1000

export async function bytesKept({ page }: Person): Promise<number> {
  return (await page.evaluate(storedCopies)).bytes
}

/**
 * Waits until the stored sizes no longer change. A page that dies may lose writes in flight; then there are none.
 *
 * @param beyond the stored size before the expected data was written
 */
export async function hasWritten(person: Person, beyond = SOMETHING_BYTES): Promise<void> {
  let bytes = -1
  let alike = 0
  await expect
    .poll(
      async () => {
        const former = bytes
        bytes = await bytesKept(person)
        alike = bytes === former ? alike + 1 : 0
        return bytes > beyond && alike >= LOOKS_ALIKE
      },
      { intervals: [LOOK_EVERY_MS] },
    )
    .toBe(true)
}

/** Runs in the page: what the browser keeps of its conferences' contents, its bytes also read as text in UTF-8 and UTF-16. */
export async function storedCopies(): Promise<{ bytes: number; text: string }> {
  const request = <T>(made: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      made.addEventListener("success", () => resolve(made.result))
      made.addEventListener("error", () => reject(made.error))
    })
  const database = await request(indexedDB.open("keymoot-copies"))
  const rows = await request<{ record: Uint8Array }[]>(database.transaction("records").objectStore("records").getAll())
  database.close()
  const records = rows.map(({ record }) => record)
  const texts = records.flatMap((record) =>
    [new TextDecoder(), new TextDecoder("utf-16")].map((as) => as.decode(record)),
  )
  return { bytes: records.reduce((total, { length }) => total + length, 0), text: texts.join() }
}
