const SHOWN_MAX = 99

/** A count beside a button's label, which has the count in its accessible name; nothing for none. */
export function Badge({ count }: { readonly count: number }) {
  if (count === 0) return null
  return <span className="badge">{count > SHOWN_MAX ? `${SHOWN_MAX}+` : count}</span>
}
