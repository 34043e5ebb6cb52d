"""Words that can stand for each other, by language; groups end with a semicolon."""

from __future__ import annotations

SAME: dict[str, str] = {
    "en": """
meet meeting hold gather convene assemble session; propose suggest proposal recommend; recommend advise
recommendation should advice; approve agree accept consent grant; oppose against opposition object; vote ballot;
elect choose select pick; begin start commence launch; end finish conclude complete; last final; last endure run
continue; stop halt cease end discontinue; keep hold store retain preserve save; stay remain keep; stand remain;
replace succeed substitute successor supersede; get receive obtain gain; own possess have; buy purchase acquire;
sell sale; cost price charge fee; pay payment payable paid settle; due payable owe; invoice bill billed; amount sum
total; total overall altogether; discount reduction rebate; reduce lower decrease cut lessen; fall drop decline
decrease; rise increase grow climb growth gain; raise increase lift; become turn grow convert change transform;
change alter modify amend; make produce create manufacture cause; make build construct; build construct construction
erect built; design designer plan architect draft; invent inventor devise; discover find detect; found establish set
create form; start found; founded founder establish start set create begin; open opening inaugurate reopen; close
shut closure; die death dead perish kill; injure
hurt wound harm; damage harm hurt injure; destroy ruin devastate wreck; defeat beat overcome vanquish conquer; win
victory beat triumph; lose defeat loss; resign quit step; leave depart exit go; arrive come reach; travel move go
journey run; run operate go; drive push force; push drive expel; show indicate display reveal demonstrate; explain
describe clarify; say state tell declare announce claim; ask request inquire question; answer reply respond
response; warn caution alert; use employ utilise utilize apply usage; employ hire; worker employee staff labourer
laborer; work job labour labor; boss manager head chief director leader; lead head led guide direct chair; manage
run direct; help assist aid support; need require necessary must; must have shall obligatory require; allow permit
let may allowed; forbid prohibit ban; welcome allowed permitted; forbidden prohibited banned; try attempt; attempt
try effort; retry repeat; repeat again redo; return give back; remove delete take eliminate; add include introduce;
clean wash; press push; switch turn; turn rotate; turn switch; fix repair mend restore; repair fix renovation
renovate; test exam examination; examine inspect check test study; check verify inspect; study research examine
investigate; teach teacher instruct; learn study; pupil student learner; school college; child kid; big large great
huge; small little tiny; quick fast rapid swift speedy speed; speed velocity fast; slow slowly; rare rarely seldom
uncommon infrequent; often frequently regularly; usual common typical normal; usually generally normally typically
mostly; about approximately roughly around nearly circa; nearly almost; exactly precisely; only solely merely just
exclusively; all every each entire whole; each every per; many numerous several; several multiple various; enough
sufficient; main chief principal primary major key; primarily mainly mostly chiefly; important significant crucial
essential; dangerous hazardous risky; safe secure; hard difficult tough; easy simple; old elderly aged age; young
youthful; age old aged; new recent novel; former previous earlier; begin beginning start; area region zone district;
country nation state; town city municipality; village town; house home; flat apartment; street road; car automobile
vehicle; bicycle bike; phone telephone; picture image photo photograph; film movie; book volume; paper document;
error mistake fault; problem issue difficulty trouble irregularity; cause reason lead due; result effect outcome
consequence; effect impact; affect influence hit impact; disease illness sickness; doctor physician dr; drug
medicine medication; allergic allergy; physician doctor; lack without; money cash fund; company firm business
corporation enterprise; customer client buyer; supplier vendor seller; share stock; forecast prediction outlook;
profit earnings; rival competitor; job position post; law act statute; rule regulation; contract agreement;
agreement accord deal treaty; consent permission agree approval; license licence; judge court; police officer;
attack assault; war conflict; army force troop military; soldier troop; king monarch; election vote; government
administration; minister secretary; official authority; president presidency; party group; people person inhabitant
resident; population inhabitant people; man person; woman lady; wife spouse; husband spouse; son child; daughter
child; ship boat vessel; boat ship; river stream; mountain mount peak; sea ocean; forest wood; animal beast; food
meal; eat consume; drink consume; cook boil; boil boiling; heat warm; cold cool; temperature degree; weight weigh
heavy mass; length long; height high tall; depth deep; width wide; distance far; density dense; deep depth; hour
hourly; day daily; week weekly; month monthly; year yearly annual annually; yearly annual; row consecutive
succession; consecutive successive; during while; while during; within inside; after following since; following
after subsequent; before prior previous; because since as due; although though despite; however but; also too
additionally; therefore thus hence; free gratis nothing; free liberate release; publish release issue; issue release
publish; news report; report account; write author; author writer; writer author; speak talk; talk discuss; discuss
debate; language tongue; name call title; call name; known called; part portion section; double twice; pair couple
two; group team; team squad; play game; game match; match game; score goal; goal aim target score; aim objective
purpose; save rescue; rescue save; protect guard defend; guard protect; hide conceal; visible seen; see view
observe; look watch; watch observe; hear listen; think believe consider; believe think; know aware; understand
comprehend; remember recall; hope expect; expect anticipate; want wish desire; wish want; decide decision determine;
decision decide ruling; choose select choice; plan intend; intend plan; continue proceed; proceed continue; happen
occur; occur happen; contain include hold comprise; comprise consist compose; consist compose comprise made; connect
link join; join enter connect; link connection; separate divide split; divide split; break fracture; mix blend
combine; combine unite merge; merge combine fuse; grow increase expand; expand grow extend; extend prolong; shrink
contract; turn become; light lamp; lamp light; wire cable; electricity power electric electrical; power energy;
energy power; engine motor; machine device; device machine gadget; tool instrument; software program application;
program software; option setting flag; setting configuration option; enable activate on; disable deactivate off;
error failure; fail failed failure; failed failure unsuccessful; request query; log record; record log; overwrite
replace; replace overwrite; backup copy; copy duplicate; delete erase; erase delete; supported support; version
release; update upgrade; upgrade update; rich wealthy; wealth rich; cheap inexpensive; expensive costly; gift
present; present gift; present attend; attend present; absent missing; guest visitor; visitor guest; enter entry
admission; ticket admission; entrance entry; travel trip; trip journey; arrive arrival; departure depart; begin
onset; soil ground; ground land; land country; coast shore; shore coast; border frontier; frontier border;
independence independent; rule govern; govern rule; law legal; legal lawful; crime offence; offence crime; prison
jail; jail prison; convinced sure certain; sure certain; doubt uncertain; mistake error; descendant offspring;
offspring descendant; ancestor forebear; genus genera; twist distort; suit fit; hive colony; female woman; male man;
land alight; fly flight; lead led leader; conduct conductor; conductor conduct; transfer transferable; transferable
transfer; tenant renter; landlord owner; harbour harbor port; port harbour; tram streetcar; tough hard; tender soft;
downwards down downward; upwards up upward
""",
    "de": """
beschließen beschloss beschlossen beschluss entscheiden entschied; genehmigen billigen annehmen zustimmen
bewilligen; betragen beträgt summe höhe; beginnen anfangen starten; enden beenden aufhören; reinigen säubern putzen;
laufen betreiben; leiten leitete führen führte leitung; schreiben schrieb geschrieben verfassen; erhalten erhielt
bekommen bekam; kaufen erwerben; haus gebäude; auto wagen; arbeiter beschäftigte mitarbeiter; firma unternehmen
betrieb; stadt ort; müssen muss pflicht; kosten preis; jeder jede jedes alle; ungefähr etwa rund circa; sterben
starb gestorben tod; bauen baute gebaut errichten errichtet; sitzung versammlung treffen; bericht report; zeigen
anzeigen; benutzen verwenden nutzen; ungefähr etwa
""",
    "fr": """
approuver accepter adopter; commencer débuter; finir terminer; vendre vente; acheter achat; gratuit gratuitement;
maison bâtiment; voiture automobile; réunion séance; entreprise société; ville commune; coûter coût prix; environ
approximativement; mourir mort; construire construit bâtir; recevoir obtenir; utiliser employer; entrer entrée;
durer durée
""",
    "es": """
aprobar aceptar adoptar; empezar comenzar iniciar; terminar acabar finalizar; construir construcción edificar; durar
duración; casa edificio; coche automóvil; reunión sesión; empresa compañía; ciudad pueblo; costar precio costo
cuesta valer vale; morir muerte; recibir obtener; usar utilizar emplear; cargar carga; nadie ningún; durar prolongar;
comprar adquirir; dirigir encabezar; escribir redactar; gratis gratuito; empleado trabajador; subir aumentar crecer;
bajar disminuir reducir; elegir escoger; permitir autorizar; médico doctor; alumno estudiante; barco buque
""",
    "ru": """
одобрить утвердить принять одобрил утвердил одобрен утверждён; голосовать проголосовать голосовала проголосовала;
начать начинать; закончить завершить; построить строить построен; дом здание; компания фирма; стоить цена стоимость;
умереть смерть; получить получать; использовать применять; машина автомобиль; заседание встреча собрание
""",
}

# What a claim may say beside its passage without saying more: it holds for nearly anything.
LIGHT: dict[str, str] = {
    "en": """
be have do make get go come take give put use include way thing kind type case fact example different various
according call name know also well able current currently present there one main however total value level amount
number figure overall respectively particular specific specifically general mean equal count occur happen apply
serve contain hold describe state mention note source passage text document say list order person people together
still already even within during since until per via both either else another someone something must need should
would could shall will may might can become remain exist additional further regard relate involve provide term
period item follow finally addition furthermore moreover thus therefore hence instead rather quite always actually
indeed just simply merely namely certain whole entire
""",
    "de": """
machen geben gibt gab liegen liegt betragen beträgt stehen steht heißen heißt laut gemäß insgesamt jeweils etwa
bereits außerdem zudem ferner weiterhin nämlich sogar lassen man jedoch sowie dabei dazu darin davon daran damit
dafür dagegen sollen gilt gelten befinden befindet art ort zeit person personen zweck
""",
    "fr": """
faire avoir être dire selon également ainsi aussi donc alors encore déjà notamment environ chose cas falloir faut
devoir doit doivent pouvoir peut peuvent mettre aller venir trouver situé
""",
    "es": """
hacer tener haber decir según también así entonces todavía ya cosa caso deber debe deben poder puede pueden poner ir
venir encontrar situado hay
""",
    "ru": """
быть был была было были есть иметь являться является сделать делать сказать также ещё уже согласно можно нужно надо
должен должна должны мочь может могут это этот год года году лет
""",
}
