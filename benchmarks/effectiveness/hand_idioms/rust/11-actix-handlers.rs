#[get("/lanterns/{id}")]
async fn get_lantern(pool: web::Data<PgPool>, path: web::Path<i32>) -> impl Responder {
    let id = path.into_inner();
    match find_lantern(&pool, id).await {
        Ok(Some(lantern)) => HttpResponse::Ok().json(lantern),
        Ok(None) => HttpResponse::NotFound().finish(),
        Err(e) => {
            log::error!("failed to load lantern {}: {}", id, e);
            HttpResponse::InternalServerError().finish()
        }
    }
}

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    env_logger::init();
    HttpServer::new(|| App::new().service(get_lantern)).bind(("127.0.0.1", 8080))?.run().await
}
