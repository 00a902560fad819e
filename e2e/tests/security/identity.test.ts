import { expect, test } from "../../support/fixtures.ts"

// A verdict that varies is wrong: no second try.
test.describe.configure({ retries: 0 })

/** Runs in the page: every private key that this origin keeps, and whether it can be had out of the browser. */
async function storedPrivateKeys(): Promise<{ extractable: boolean; exported: boolean }[]> {
  const request = <T>(made: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      made.addEventListener("success", () => resolve(made.result))
      made.addEventListener("error", () => reject(made.error))
    })
  const keys: CryptoKey[] = []
  const collect = (value: unknown): void => {
    if (value instanceof CryptoKey) keys.push(value)
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect)
  }
  for (const { name } of await indexedDB.databases()) {
    const database = await request(indexedDB.open(name ?? ""))
    for (const store of database.objectStoreNames) {
      collect(await request(database.transaction(store).objectStore(store).getAll()))
    }
    database.close()
  }
  const privateKeys = keys.filter(({ type }) => type === "private")
  return Promise.all(
    privateKeys.map(async (key) => ({
      extractable: key.extractable,
      exported: await crypto.subtle.exportKey("pkcs8", key).then(
        () => true,
        () => false,
      ),
    })),
  )
}

for (const browser of ["chromium", "firefox"] as const) {
  test(`a script in the page cannot take the identity key out of ${browser}`, async ({ server, people }) => {
    const ada = await people.arrive("Ada", browser)
    await ada.start(server.origin)
    expect(await ada.page.evaluate(storedPrivateKeys)).toEqual([{ extractable: false, exported: false }])
  })
}
