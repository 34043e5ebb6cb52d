"""Words that mean the same, words that mean the opposite, and words of which only one can hold, by language.

An entry of `OPPOSITES` has two groups, parted by `|`; the words of a group mean nearly the same. Those of `CONVERSES`
say the same the other way round: where one lends, another borrows. An entry of `RIVALS` names things of one kind: where
a source names one of them, a claim that names another says something else.
"""

from __future__ import annotations

OPPOSITES: dict[str, str] = {
    "en": """
approve accept adopt pass endorse authorise authorize ratify sanction | reject refuse decline veto disapprove
dismiss; agree consent | disagree dissent; support back favour favor endorse | oppose resist reject; for favour |
against opposed; praise commend applaud | criticise criticize condemn blame attack denounce; increase rise grow gain
climb raise expand up boost surge | decrease fall drop decline reduce shrink lower cut down sink slump lose plunge;
improve better strengthen | worsen deteriorate weaken; open reopen | close shut; open | closed shut locked; begin
start commence launch initiate | end finish stop cease conclude terminate halt complete; beginning start | end
finish conclusion; accelerate hasten | delay postpone slow; allow permit enable let authorise authorize | forbid
prohibit ban disallow bar prevent block disable; allowed permitted permissible legal lawful | forbidden prohibited
banned illegal unlawful; enable activate | disable deactivate; connect attach plug join | disconnect detach unplug
separate; add include insert append introduce | remove delete drop exclude omit eliminate; succeed pass win | fail
lose; successful | failed unsuccessful; victory win | defeat loss; arrive come enter land | leave depart exit go;
join enter | leave quit resign; love like enjoy | hate dislike detest; remember recall | forget; find discover |
lose miss; keep retain preserve maintain | discard abandon delete remove abolish; full whole | half;
double doubled | halve halved; appear emerge | disappear vanish; build construct
erect create establish found | destroy demolish dismantle abolish dissolve; confirm affirm uphold | deny refute
overturn overrule reject; true correct right accurate | false wrong incorrect inaccurate; guilty | innocent
acquitted; rich wealthy | poor; big large great huge vast major | small little tiny minor; long lengthy | short
brief; high tall | low; deep | shallow; wide broad | narrow; heavy | light; deep heavy | light; thick | thin; fat |
thin lean; old ancient elderly | young; old former previous | new recent; old stale | fresh; early earlier | late
later; fast quick rapid swift quickly rapidly | slow slowly;
hot warm | cold cool; wet damp moist | dry; hard difficult | easy simple; hard
rigid tough | soft tender flexible; strong powerful | weak feeble; safe secure harmless | dangerous unsafe hazardous
risky harmful; full | empty; clean | dirty; bright light | dark; loud noisy | quiet silent; good beneficial positive
| bad poor negative; good | evil; best | worst; better | worse; cheap inexpensive | expensive costly dear; free
gratis | paid payable chargeable; common frequent usual | rare uncommon unusual infrequent; often frequently usually
regularly commonly | rarely seldom infrequently hardly; always | sometimes never occasionally; severe serious grave
| mild slight harmless; many much numerous | few little; more | less fewer; most | least fewest; majority |
minority; maximum | minimum; maximal | minimal; all every | none; before prior | after following; before previous |
next; first initial | last final; above over | below under beneath; above over more | under less fewer; top upper |
bottom lower; upward up | downward down; inside indoor | outside outdoor; internal | external; domestic | foreign;
left | right; front | back rear; north northern | south southern; east eastern | west western; male man men boy |
female woman women girl; husband | wife; son | daughter; brother | sister; mother | father; king | queen; day |
night; morning | evening; summer | winter; peaceful calm | violent; peace | war; war | ceasefire; friend ally |
enemy foe; attack | defend; visible | invisible hidden; alive living | dead; live survive | die; birth born | death
died; public | private; present attend | absent miss; same identical equal similar | different distinct; simple |
complex complicated; permanent | temporary; voluntary optional | mandatory compulsory obligatory required; odd |
even; single | married; profit gain surplus | loss deficit; income revenue | expense expenditure; credit | debit;
asset | liability; import | export; supply | demand; hire employ appoint recruit | fire sack dismiss; promote |
demote; happy | sad unhappy; hope | fear; optimistic | pessimistic; active | inactive passive; natural | artificial;
theory | practice; urban | rural; vertical | horizontal; freeze | melt boil; attract | repel; expand | contract;
inhale | exhale; lock | unlock; on | off; acid | alkaline; acquit | convict; lead | follow; sooner | later; complete
full total | partial incomplete limited; whole entire | half part; possible | impossible; able | unable; likely |
unlikely; preserve conserve protect save | destroy ruin damage waste; extend prolong renew | end terminate cancel
shorten; borrow | lend; attractive | unattractive; offline | online; welcome | oppose regret; victorious | defeated;
surrender yield | resist; sharply strongly steeply greatly | slightly mildly; near nearest close | far farthest distant;
multiply | divide; ascend climb | descend; upstream | downstream
""",
    "de": """
genehmigen billigen annehmen angenommen zustimmen bewilligen genehmigt | ablehnen lehnte abgelehnt verweigern
verwerfen; dafür
für | dagegen gegen; steigen stieg erhöhen wachsen zunehmen gestiegen wuchs | sinken sank fallen fiel senken
abnehmen gesunken schrumpfen; eröffnen öffnen geöffnet offen eröffnet | schließen geschlossen schloss schließt zu;
beginnen begann anfangen anfange anfängt starten | enden endet endete beenden aufhören stoppen; erlauben erlaubt
gestatten gestattet darf | verbieten verboten untersagen untersagt; groß größer | klein kleiner; lang länger | kurz
kürzer; hoch höher hohe | niedrig niedriger tief; alt älter alte | neu neue; alt älter | jung jünger; früh früher |
spät später; schnell schneller | langsam langsamer; warm heiß wärmer | kalt kälter; voll | leer; gut besser |
schlecht schlechter; stark stärker | schwach schwächer; schwer schwerer | leicht leichter; schwierig | einfach
leicht; teuer teurer | billig günstig billiger; kostenlos gratis | kostenpflichtig; oft häufig | selten; immer | nie
manchmal; vor vorher | nach nachher; über oberhalb | unter unterhalb; mehr | weniger; mindestens | höchstens; erste
ersten erster | letzte letzten letzter; oben | unten; links | rechts; innen | außen; nördlich Norden | südlich
Süden; östlich Osten | westlich Westen; männlich Mann | weiblich Frau; gewinnen gewann gewonnen | verlieren verlor
verloren; loben lobte | kritisieren kritisierte; kommen ankommen | gehen verlassen verließ; hinzufügen | entfernen
löschen; anwesend | abwesend; richtig wahr | falsch; Gewinn | Verlust; Tag | Nacht; Krieg | Frieden; ein einschalten
| aus ausschalten
""",
    "fr": """
approuver approuvé accepter accepté adopter adopté | rejeter rejeté refuser refusé repousser; pour | contre;
augmenter augmenté monter hausse croître | diminuer diminué baisser baissé baisse réduire chuter; ouvrir ouvre
ouvert ouverture | fermer ferme fermé fermeture; commencer commence début | finir terminer fin cesser; autoriser
autorisé permettre permis | interdire interdit défendu; grand gros | petit; long | court; haut élevé | bas faible;
vieux vieillard ancien vieille âgé | jeune; vieux ancien | nouveau neuf récent; tôt | tard; rapide vite | lent
lentement; chaud | froid; plein | vide; bon meilleur | mauvais pire; gratuit gratuitement | payant payante; souvent
fréquent | rarement rare; toujours | jamais parfois; avant | après; dessus | dessous; plus | moins; premier première
| dernier dernière; gauche | droite; nord | sud; est | ouest; homme masculin | femme féminin; gagner gagné | perdre
perdu; louer féliciter | critiquer critiqué; arriver arrivé entrer | partir parti quitter sortir; présent assister
assisté | absent; ajouter | supprimer enlever retirer; vrai | faux; fort | faible; cher | bon-marché; facile |
difficile; jour | nuit; guerre | paix
""",
    "es": """
aprobar aprobó aprobado aceptar aceptó adoptar | rechazar rechazó rechazado denegar; favor | contra; aumentar
aumentó subir subió crecer creció | disminuir disminuyó bajar bajó caer cayó reducir; abrir abrió abierto abre |
cerrar cerró cerrado cierra; empezar empezó comenzar comenzó | terminar terminó acabar; permitir permitido |
prohibir prohibido; grande mayor | pequeño menor; largo | corto; alto | bajo; viejo antiguo | nuevo; viejo anciano |
joven; gordo | flaco delgado; temprano | tarde; rápido | lento; caliente | frío; lleno | vacío; bueno mejor | malo
peor; gratis gratuito | pago; siempre | nunca; antes | después; encima arriba | debajo abajo; más | menos; primero
primer primera | último última; izquierda | derecha; norte | sur; este | oeste; hombre | mujer; ganar ganó | perder
perdió; elogiar | criticar criticó; llegar llegó | salir salió partir; presente | ausente; añadir | quitar eliminar;
verdadero | falso; fuerte | débil; caro | barato; fácil | difícil; día | noche; guerra | paz
""",
    "ru": """
одобрить одобрил утвердить утвердил принять принял | отклонить отклонил отвергнуть отверг; за | против; вырасти
вырос повысить увеличить рост | упасть упал снизить уменьшить снижение; открыть открыл открывается открыт | закрыть
закрыл закрывается закрыт; начать начал начинается начало | закончить закончил кончается конец; можно разрешено
разрешить | нельзя запрещено запретить; большой больше больший | маленький меньше меньший; длинный длиннее |
короткий короче; высокий выше | низкий ниже; старый старше | новый новее; старый старше | молодой моложе; рано
раньше | поздно позже; быстрый быстрее быстро | медленный медленнее медленно; горячий тёплый | холодный; полный |
пустой; хороший лучше | плохой хуже; бесплатно бесплатный | платно платный; часто | редко; всегда | никогда; до
перед | после; над выше | под ниже; первый | последний; левый | правый; север северный | юг южный; восток восточный
| запад западный; мужчина | женщина; выиграть выиграл победить победил | проиграть проиграл; прийти пришёл приехать
приехал | уйти ушёл уехать уехал; счастливый счастливые счастливая | несчастливый несчастливые несчастливая
несчастлива; сильный | слабый; дорогой | дешёвый; день | ночь; война | мир
""",
}

CONVERSES: dict[str, str] = {
    "en": """
buy purchase acquire | sell; lend loan | borrow; give hand donate grant | receive get obtain accept; send ship
deliver | receive get; teach instruct | learn; beat defeat win overcome | lose; precede | follow succeed; before |
after; above over | below under; north | south; east | west; more | less fewer; larger bigger large big | smaller
small; longer long | shorter short; taller higher tall high | lower shorter low short; older old | younger newer
young new; faster quicker fast quick | slower slow; better good | worse bad; heavier heavy | lighter light; stronger
strong | weaker weak; cheaper cheap | dearer expensive; deeper deep | shallower shallow; hotter warmer | colder
cooler; earlier early | later late; parent father mother | child son daughter; ancestor | descendant; employer |
employee; owner | property; own possess | belong; teacher | pupil student; succeed replace | precede
""",
    "de": """
kaufen kaufte gekauft | verkaufen verkaufte verkauft; leihen lieh verleihen verlieh | ausleihen borgen; besiegen
besiegte schlug gewann | verlor verlieren unterlag; größer | kleiner; länger | kürzer; höher | niedriger; älter |
jünger; schneller | langsamer; mehr | weniger; nördlich | südlich; östlich | westlich
""",
    "fr": """
vendre vendu vendue | acheter acheté achetée; prêter prêté | emprunter emprunté; battre battu vaincre vaincu |
perdre perdu; grand | petit; long | court; plus | moins
""",
    "es": """
vender vendió vendido | comprar compró comprado; prestar prestó | pedir; vencer venció derrotar derrotó | perder
perdió; largo | corto; grande mayor | pequeño menor; más | menos
""",
    "ru": """
продать продал продала | купить купил купила; больше | меньше; длиннее | короче; выше | ниже; старше | моложе;
быстрее | медленнее
""",
}

RIVALS: dict[str, str] = {
    "en": """
monday tuesday wednesday thursday friday saturday sunday; january february march april may june july august
september october november december; spring summer autumn winter; noon midnight morning afternoon evening; first second
third fourth fifth sixth seventh eighth ninth tenth; red orange yellow green blue purple violet pink
brown black white grey silver gold; north south east west; king queen prince princess president minister governor
mayor senator; gold silver copper iron steel bronze tin lead zinc aluminium; chemistry physics biology mathematics
history music geography literature; dog cat horse cow sheep pig goat; adult child teenager baby; breakfast lunch
dinner supper; tea coffee milk juice beer wine; car bus train tram bicycle plane ship; english french german spanish
italian russian chinese japanese portuguese arabic dutch swedish polish; buyer seller; lender borrower; landlord
tenant; teacher pupil; winner loser; predator prey; plaintiff defendant; sender recipient; host guest; employer
employee; doctor nurse patient; driver passenger; liver kidney heart lung stomach; mercury venus earth mars jupiter
saturn uranus neptune
""",
    "de": """
montag dienstag mittwoch donnerstag freitag samstag sonntag; januar februar märz april mai juni juli august
september oktober november dezember; frühling sommer herbst winter; rot gelb grün blau schwarz weiß braun grau
""",
    "fr": """
lundi mardi mercredi jeudi vendredi samedi dimanche; printemps été automne hiver; rouge jaune vert bleu noir blanc
brun gris
""",
    "es": """
lunes martes miércoles jueves viernes sábado domingo; primavera verano otoño invierno; rojo amarillo verde azul
negro blanco gris
""",
    "ru": """
понедельник вторник среда четверг пятница суббота воскресенье; весной летом осенью зимой; красный жёлтый зелёный
синий чёрный белый серый
""",
}

# Pairs that a script without spaces writes inside its text.
UNSPACED_OPPOSITES: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("批准", "通过", "同意", "赞成", "支持"), ("否决", "拒绝", "反对", "驳回")),
    (("增加", "上升", "增长", "提高", "上涨"), ("减少", "下降", "降低", "下跌")),
    (("开通", "开放", "打开", "开启", "开业", "开门"), ("关闭", "关上", "停业", "关门")),
    (("开始", "启动"), ("结束", "停止", "终止")),
    (("允许", "可以", "准许"), ("禁止",)),
    (("之前", "以前", "前"), ("之后", "以后", "后")),
    (("以上", "上面"), ("以下", "下面")),
    (("大",), ("小",)),
    (("长",), ("短",)),
    (("高",), ("低", "矮")),
    (("多",), ("少",)),
    (("早",), ("晚",)),
    (("快",), ("慢",)),
    (("新",), ("旧", "老")),
    (("冷",), ("热",)),
    (("满",), ("空",)),
    (("贵",), ("便宜",)),
    (("免费",), ("收费", "付费")),
    (("男",), ("女",)),
    (("东",), ("西",)),
    (("南",), ("北",)),
    (("左",), ("右",)),
    (("买",), ("卖",)),
    (("赢", "胜", "击败"), ("输", "败给")),
    (("经常", "常常"), ("很少",)),
    (("第一", "首先", "最初"), ("最后",)),
    (("所有", "全部", "全体", "每个", "都"), ("有些", "一些", "部分", "少数", "某些")),
    (("安全",), ("危险",)),
    (("成功",), ("失败",)),
    (("加入",), ("离开", "退出")),
    (("真",), ("假",)),
)
