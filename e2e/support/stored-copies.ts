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
