// The shape of the stand-in's data file (mock/build_data.py). Deliberately not here: wire types; those are generated.
import type { EvidenceView } from "$lib/generated/EvidenceView";
import type { PageView } from "$lib/generated/PageView";

export interface MockDocument {
  doc_id: string;
  title: string;
  pages: PageView[];
  layer: string;
  starts: number[];
  boxes: ([number, number, number, number] | null)[][];
}

export interface MockRecord {
  record_id: string;
  doc_id: string;
  doc_sha256: string;
  field: string;
  value: unknown;
  status: string;
  confidence: number | null;
  extractor: { model: string; prompt_version: string; run_id: string };
  due_at: string | null;
  evidence: EvidenceView[];
}

export interface MockField {
  title: string;
  guidance: string;
  type: string;
  unit?: string;
  values?: string[];
  hard: boolean;
  max_error: number;
  max_error_flag: number;
}

export interface MockData {
  documents: Record<string, MockDocument>;
  records: MockRecord[];
  catalogue: Record<string, MockField>;
}
