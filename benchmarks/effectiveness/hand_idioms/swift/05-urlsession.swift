    func fetchTrails(completion: @escaping (Result<[Trail], Error>) -> Void) {
        guard let url = URL(string: baseURL + "/trails") else {
            completion(.failure(TrailError.invalidURL))
            return
        }
        URLSession.shared.dataTask(with: url) { data, response, error in
            if let error = error {
                completion(.failure(error))
                return
            }
            guard let data = data else {
                completion(.failure(TrailError.noData))
                return
            }
            do {
                let trails = try JSONDecoder().decode([Trail].self, from: data)
                completion(.success(trails))
            } catch {
                completion(.failure(error))
            }
        }.resume()
    }
