// Zoom and inversion of pages: one setting for every evidence pane of the window.
//
// Deliberately not here: where a pane is scrolled; each pane knows that itself.
import { zoomed } from "./geometry";

const REMEMBERED = "pincite.invert-pages";

function remembered(): boolean {
  try {
    return localStorage.getItem(REMEMBERED) === "yes";
  } catch {
    return false;
  }
}

class ViewSettings {
  /** 1 fills the pane's width. */
  zoom = $state(1);
  invert = $state(remembered());
  /** Image scale that the panes last drew at, for drawing ahead; device pixels per point. */
  imageScale = 1;

  zoomIn = () => {
    this.zoom = zoomed(this.zoom, 1);
  };
  zoomOut = () => {
    this.zoom = zoomed(this.zoom, -1);
  };
  zoomReset = () => {
    this.zoom = 1;
  };
  toggleInvert = () => {
    this.invert = !this.invert;
    try {
      localStorage.setItem(REMEMBERED, this.invert ? "yes" : "no");
    } catch {
      // Not remembered, then: the switch works all the same.
    }
  };
}

export const viewSettings = new ViewSettings();
