"""Small words of other languages in English: those that ask, deny, join and point, which vectors tell badly."""

from __future__ import annotations


def _table(pairs: str) -> dict[str, str]:
    """From `word=english` and `word=` for what English does without; `_` stands for a space."""
    found = (pair.partition("=") for pair in pairs.split())
    return {word.casefold(): english.replace("_", " ") for word, _, english in found}


SMALL_WORDS: dict[str, dict[str, str]] = {
    "de": _table(
        "wer=who wem=whom wen=whom wann=when wo=where wohin=where woher=from_where warum=why wieso=why"
        " weshalb=why wie=how was=what welche=which welcher=which welches=which welchen=which welchem=which"
        " wieviel=how_much wieviele=how_many viel=much viele=many lange=long oft=often nicht=not kein=no keine=no"
        " keinen=no keiner=no keinem=no nie=never niemand=nobody nichts=nothing ist=is sind=are war=was"
        " waren=were wird=is werden=are wurde=was wurden=were sein=be hat=has haben=have hatte=had hatten=had"
        " kann=can können=can konnte=could muss=must müssen=must soll=should sollte=should sollen=should darf=may"
        " dürfen=may will=wants wollen=want der=the die=the das=the den=the dem=the des=of_the ein=a eine=a"
        " einen=a einem=a einer=a eines=of_a und=and oder=or aber=but ich=i du=you er=he sie=they es=it wir=we"
        " ihr=you man=one sich=itself mir=me mich=me uns=us mein=my meine=my meinen=my seine=his ihre=her"
        " unser=our in=in im=in_the an=at am=at_the auf=on aus=from bei=at beim=at_the mit=with nach=after von=of"
        " vom=of_the zu=to zum=to_the zur=to_the für=for über=about unter=under vor=before durch=by gegen=against"
        " ohne=without um=at bis=until als=as so=so auch=also nur=only noch=still schon=already dass=that wenn=if"
        " weil=because ob=whether ab=from seit=since pro=per je=per jeder=every jede=every jedes=every"
        " jeden=every alle=all allen=all mehr=more weniger=less sehr=very hier=here dort=there dann=then"
        " zwischen=between während=during höchstens=at_most mindestens=at_least diese=this dieser=this"
        " dieses=this diesem=this diesen=this heißt=is_called heißen=are_called bzw=or fast=nearly also=so"
        " bald=soon rat=advice hut=hat ans=to_the ins=into_the aufs=on_the fürs=for_the ihnen=them ihrem=their"
        " ihren=their ihrer=their ihres=their seinem=his seinen=his seiner=his meinem=my meiner=my wieder=again"
        " immer=always bereits=already etwa=about ca=about hinter=behind neben=beside etwas=something"
        " jemand=somebody möchte=wants mag=likes sonst=else wofür=what_for womit=with_what wodurch=by_what"
        " worüber=about_what dürfte=might musste=had_to mussten=had_to wäre=would_be hätte=would_have"
        " würde=would gibt=gives dabei=with_it dafür=for_it davon=of_it damit=with_it wegen=because_of trotz=despite"
    ),
    "fr": _table(
        "qui=who que=what quoi=what quand=when où=where pourquoi=why comment=how combien=how_much quel=which"
        " quelle=which quels=which quelles=which lequel=which laquelle=which ne= n= pas=not non=not jamais=never"
        " aucun=no aucune=no rien=nothing sans=without est=is sont=are était=was étaient=were sera=will_be"
        " être=be a=has ont=have avait=had avoir=have peut=can peuvent=can peux=can pouvez=can doit=must"
        " doivent=must dois=must faut=must le=the la=the les=the l=the un=a une=a des=of_the du=of_the de=of d=of"
        " au=at_the aux=at_the et=and ou=or mais=but je=i j=i tu=you il=he elle=she on=one nous=we vous=you"
        " ils=they elles=they me=me m=me se=itself s=itself lui=him leur=their leurs=their mon=my ma=my mes=my"
        " son=his sa=his ses=his notre=our nos=our votre=your vos=your ce=this c=this cet=this cette=this"
        " ces=these cela=this ça=this en=in y=there dans=in sur=on sous=under par=by pour=for avec=with"
        " entre=between vers=to chez=at depuis=since pendant=during jusqu=until jusque=until comme=as si=if"
        " aussi=also très=very plus=more moins=less tout=all tous=all toute=all toutes=all après=after"
        " avant=before à=to qu=that dont=of_which temps=time fois=times car=because"
    ),
    "es": _table(
        "quién=who quiénes=who qué=what cuál=which cuáles=which cuándo=when dónde=where adónde=where cómo=how"
        " cuánto=how_much cuánta=how_much cuántos=how_many cuántas=how_many por=for no=not nunca=never"
        " nadie=nobody nada=nothing ningún=no ninguna=no sin=without es=is son=are era=was eran=were fue=was"
        " fueron=were será=will_be ser=be está=is están=are estaba=was hay=there_is ha=has han=have había=had"
        " tiene=has tienen=have puede=can pueden=can puedo=can debe=must deben=must debo=must el=the la=the"
        " los=the las=the lo=it un=a una=a unos=some unas=some de=of del=of_the al=to_the a=to y=and e=and o=or"
        " u=or pero=but yo=i tú=you él=he ella=she ellos=they ellas=they nosotros=we usted=you se=itself me=me"
        " te=you le=him les=them nos=us mi=my mis=my su=his sus=his nuestro=our nuestra=our este=this esta=this"
        " estos=these estas=these ese=that esa=that eso=that en=in entre=between sobre=on bajo=under desde=from"
        " hasta=until hacia=to según=according_to para=for con=with que=that como=as si=if sí=yes más=more"
        " menos=less muy=very también=also ya=already solo=only sólo=only porque=because durante=during cada=each"
        " todo=all todos=all toda=all todas=all antes=before después=after cuando=when donde=where quien=who"
        " cuanto=how_much once=eleven red=network"
    ),
    "it": _table(
        "chi=who che=what cosa=what quando=when dove=where perché=why come=how quanto=how_much quanta=how_much"
        " quanti=how_many quante=how_many quale=which quali=which non=not mai=never nessuno=nobody niente=nothing"
        " senza=without è=is sono=are era=was erano=were sarà=will_be essere=be ha=has hanno=have può=can"
        " possono=can posso=can deve=must devono=must il=the lo=the la=the i=the gli=the le=the l=the un=a uno=a"
        " una=a di=of del=of_the della=of_the dei=of_the delle=of_the dello=of_the da=from dal=from_the"
        " dalla=from_the a=to al=to_the alla=to_the ai=to_the in=in nel=in_the nella=in_the nei=in_the su=on"
        " sul=on_the sulla=on_the per=for con=with tra=between fra=between e=and ed=and o=or ma=but si=itself"
        " mi=me ci=us suo=his sua=his questo=this questa=this fino=until dopo=after prima=before più=more"
        " meno=less anche=also solo=only se=if ogni=each tutti=all tutte=all all=to_the dell=of_the nell=in_the"
        " sull=on_the dall=from_the"
    ),
    "pt": _table(
        "quem=who que=what quê=what quando=when onde=where como=how quanto=how_much quanta=how_much"
        " quantos=how_many quantas=how_many qual=which quais=which não=not nunca=never ninguém=nobody"
        " nada=nothing sem=without é=is são=are era=was foi=was foram=were será=will_be ser=be está=is estão=are"
        " há=there_is tem=has têm=have pode=can podem=can posso=can deve=must devem=must o=the a=the os=the"
        " as=the um=a uma=a de=of do=of_the da=of_the dos=of_the das=of_the em=in no=in_the na=in_the nos=in_the"
        " nas=in_the ao=to_the à=to_the por=by pelo=by_the pela=by_the para=for com=with entre=between sobre=on"
        " desde=since até=until e=and ou=or mas=but se=itself seu=his sua=his meu=my minha=my este=this esta=this"
        " esse=that essa=that mais=more menos=less também=also só=only cada=each todos=all todas=all antes=before"
        " depois=after porque=because"
    ),
    "nl": _table(
        "wie=who wat=what wanneer=when waar=where waarom=why hoe=how hoeveel=how_much welke=which welk=which"
        " niet=not geen=no nooit=never niemand=nobody niets=nothing zonder=without is=is zijn=are was=was"
        " waren=were wordt=is worden=are heeft=has hebben=have kan=can kunnen=can mag=may mogen=may moet=must"
        " moeten=must de=the het=the een=a van=of en=and of=or maar=but ik=i je=you hij=he zij=they we=we wij=we"
        " men=one zich=itself mijn=my in=in op=on aan=at uit=from bij=at met=with naar=to voor=for tot=until"
        " door=by over=about onder=under na=after om=at als=if ook=also alleen=only meer=more minder=less"
        " tussen=between lang=long vaak=often elke=each alle=all die=that dat=that want=because"
    ),
    "pl": _table(
        "kto=who co=what kiedy=when gdzie=where dlaczego=why jak=how ile=how_much który=which która=which"
        " które=which nie=not nigdy=never nikt=nobody nic=nothing bez=without jest=is są=are był=was była=was"
        " było=was będzie=will_be ma=has mają=have może=can można=may trzeba=must musi=must i=and lub=or albo=or"
        " ale=but w=in we=in na=on z=with ze=with do=to od=from po=after przed=before przez=by dla=for o=about"
        " u=at się=itself to=this tylko=only więcej=more mniej=less także=also każdy=each wszystkie=all"
        " czy=whether ten=this ta=this on=he ona=she go=him bo=because"
    ),
    "ru": _table(
        "кто=who кого=whom кому=whom что=what чего=what когда=when где=where куда=where откуда=from_where"
        " почему=why зачем=why как=how сколько=how_much какой=which какая=which какое=which какие=which"
        " каких=which какую=which каком=which какому=which не=not нет=no никогда=never никто=nobody"
        " ничего=nothing без=without нельзя=must_not был=was была=was было=was были=were будет=will_be быть=be"
        " есть=there_is может=can могут=can можно=may нужно=must надо=must должен=must должна=must должны=must"
        " стоит=costs и=and или=or а=and но=but я=i ты=you он=he она=she оно=it они=they мы=we вы=you мне=me"
        " нам=us себя=itself мой=my моя=my его=his её=her их=their наш=our этот=this эта=this это=this эти=these"
        " в=in во=in на=on с=with со=with к=to из=from от=from до=until по=by для=for за=for о=about об=about"
        " у=at под=under при=at после=after перед=before между=between через=through если=if также=also"
        " только=only уже=already ещё=still более=more больше=more меньше=less каждый=each каждые=each все=all"
        " всех=all ли=whether раз=times долго=long часто=often зовут=is_called чем=than ее=her еще=still"
    ),
    "tr": _table(
        "kim=who ne=what nerede=where neden=why niçin=why nasıl=how kaç=how_many hangi=which değil=not"
        " yok=there_is_no var=there_is ve=and veya=or ama=but ile=with için=for bir=a bu=this mi=whether"
        " mı=whether mu=whether mü=whether çok=very daha=more en=most sadece=only her=each zaman=when on=ten"
        " bin=thousand son=last yüz=hundred"
    ),
    "zh": _table(
        "谁=who 什么=what 什么时候=when 何时=when 哪里=where 哪儿=where 在哪=where 为什么=why 为何=why 怎么=how"
        " 怎样=how 怎么办=what_to_do 如何=how 多少=how_much 多少钱=how_much_money 几=how_many 多久=how_long"
        " 多长=how_long 多长时间=how_long 哪=which 哪个=which 哪些=which 哪种=which 哪台=which 不=not"
        " 不能=must_not 不可以=must_not 没有=no 没=not 的=of 地= 得= 了= 着= 过= 是=is 有=has 要=must 必须=must"
        " 应该=should 可以=may 能=can 会=will 吗=? 呢=? 和=and 与=and 或=or 及=and 在=in 从=from 到=to 于=at"
        " 对=for 给=to 向=to 用=with 被=by 把= 为=for 我=i 我们=we 你=you 他=he 她=she 他们=they 这=this 那=that"
        " 这个=this 那个=that 每=each 都=all 也=also 还=still 就=then 只=only 最=most 更=more 之前=before"
        " 以前=before 之后=after 以后=after 之间=between 请= 需要=needs 叫=is_called 个= 吧= 上=on 下=under 里=in"
        " 中=in 多=many 少=few 钱=money 月=month 年=year 日=day 周=week 点=o'clock 之=of"
    ),
}

# Written with a capital, and not at the beginning, these address somebody.
POLITE_WORDS: dict[str, dict[str, str]] = {
    "de": {
        "Sie": "you",
        "Ihnen": "you",
        "Ihr": "your",
        "Ihre": "your",
        "Ihrem": "your",
        "Ihren": "your",
        "Ihrer": "your",
        "Ihres": "your",
    },
}
