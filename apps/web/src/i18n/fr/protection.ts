import type { Texts } from "../en/index.ts"

export const protection: Texts["protection"] = {
  title: "Ce qui est protégé",
  content:
    "Les personnes d’une conférence conviennent entre elles d’une clé. Les dessins, les messages et les noms sont chiffrés avec elle dans le navigateur, et la clé change dès que quelqu’un arrive ou part (seule la « Majorité » la garde pour les personnes nommées).",
  server:
    "Le serveur met les personnes en relation. Il voit les adresses internet, le numéro de la conférence, quand passent les messages et leur taille. Il ne peut ni les lire, ni les modifier, ni ajouter quelqu’un sans que cela se voie.",
  link: "Toute personne qui a le lien peut entrer, sauf si la conférence est réservée à des personnes nommées ou à une organisation, ou si un hôte admet les personnes une par une. Ne le donnez qu’à celles que vous voulez là, et vérifiez qui est dans la conférence.",
  device:
    "Cet appareil garde une copie verrouillée, pour qu’un rechargement ne perde rien, jusqu’à ce que vous quittiez la conférence. Les navigateurs ne protègent pas leur stockage contre quelqu’un qui peut déverrouiller votre appareil.",
  names:
    "Un nom est ce qu’une personne a saisi. Pour être sûr de qui est là, comparez avec elle le code de la conférence, en personne ou par téléphone.",
  limits:
    "Les membres peuvent copier ce qu’ils voient. Le serveur pourrait vous envoyer une page modifiée : utilisez un serveur auquel vous faites confiance, ou gérez le vôtre.",
  close: "Fermer",
}
