/** States in place that something has failed. */
export function Failure({ text }: { readonly text: string }) {
  return (
    <p className="field-error" role="alert">
      {text}
    </p>
  )
}
