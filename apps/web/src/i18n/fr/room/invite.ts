import type { Texts } from "../../en/index.ts"

export const invite: Texts["invite"] = {
  title: "Inviter des personnes",
  alone: "Vous êtes seul ici.",
  nobody:
    "Personne d’autre n’est ici en ce moment. Les autres viendront peut-être plus tard, ou un hôte a terminé cette conférence plus tôt. Demandez à la personne qui vous a invité.",
  send: "Envoyez l’invitation aux personnes que vous voulez rencontrer. Utilisez « Copier le lien » et non la barre d’adresse : l’adresse seule ne laisse entrer personne.",
  begin: "Commencez à écrire et à dessiner. Les personnes qui arrivent plus tard le voient aussi.",
  beginUnseen:
    "Commencez à dessiner. Les personnes qui arrivent plus tard voient le tableau, et seulement les nouveaux messages.",
  return:
    "Fin de cette conférence : {{time}}. Vous pouvez fermer cette page et revenir par « Mes conférences » sur la page d’accueil.",
  show: "Afficher le lien et un code QR",
  copy: "Copier l’invitation",
  copied: "Invitation copiée",
  label: "Texte de l’invitation",
  calendar: "Fichier d’agenda",
  summary: "Conférence Keymoot",
  text: "Vous êtes invité à une conférence chiffrée. Ouvrez ce lien pour la rejoindre :",
  textAbout: "Vous êtes invité à une conférence chiffrée : {{title}}. Ouvrez ce lien pour la rejoindre :",
  textOpens: "Elle ouvre le {{time}}.",
  textHint: "Copiez le lien entier, avec tout ce qui suit le signe #.",
  who: {
    link: "Toute personne qui a ce lien peut entrer. Ne le transmettez qu’avec précaution.",
    approval: "Les personnes qui ont ce lien attendent qu’un hôte les fasse entrer.",
    roster: "Seules les personnes nommées pour cette conférence peuvent entrer.",
    ca: "Seules les personnes qui ont un certificat de l’organisation peuvent entrer.",
  },
}
