import { Injectable } from '@angular/core';
import { HttpClient } from '@angular/common/http';
import { Observable } from 'rxjs';
import { Allotment } from '../models/allotment';

@Injectable({
  providedIn: 'root'
})
export class AllotmentService {
  private url = '/api/allotments';

  constructor(private http: HttpClient) { }

  getAll(): Observable<Allotment[]> {
    return this.http.get<Allotment[]>(this.url);
  }

  getById(id: number): Observable<Allotment> {
    return this.http.get<Allotment>(`${this.url}/${id}`);
  }

  create(allotment: Allotment): Observable<Allotment> {
    return this.http.post<Allotment>(this.url, allotment);
  }
}
