import type { Texts } from "../en/index.ts"

export const schedule: Texts["schedule"] = {
  opens: "Se abre (vacío: ahora)",
  wrong: "Elige una hora futura. La conferencia tiene que terminar en un plazo de 30 días.",
  title: "Aún no está abierta",
  opensAt: "Esta conferencia se abre: {{time}}.",
  hint: "Deja esta página abierta para entrar automáticamente. También puedes volver más tarde con el enlace.",
}
