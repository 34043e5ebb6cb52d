// On a narrow screen the regions beside the questions are folded, until one is wanted.

const narrow = matchMedia("(max-width: 56rem)");

export function folding() {
  const fit = () => {
    for (const region of document.querySelectorAll("details.region")) {
      const wanted = region.dataset.needed !== undefined || region.querySelector(".problem:not([hidden])");
      region.open = !narrow.matches || Boolean(wanted) || `#${region.parentElement.id}` === location.hash;
    }
  };
  narrow.addEventListener("change", fit);
  fit();
}
